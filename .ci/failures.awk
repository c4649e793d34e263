# Reads what go test -v printed; prints what each failing test itself said, its
# last lines if it said much.
/^=== (RUN|NAME|CONT|PAUSE) / { name = $3; next }
/^ *--- FAIL: / {
	print
	n = lines[$3]
	for (i = n > 80 ? n - 80 : 0; i < n; i++)
		print "    " said[$3, i]
	next
}
/^ *--- (PASS|SKIP): / { next }
/^(ok|FAIL)\t/ { delete lines; delete said; next } # names are a package's own
{ said[name, lines[name]++] = $0 }
