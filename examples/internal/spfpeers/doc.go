// Package spfpeers compares SPF results with those of three other programs over
// generated zones and senders: pyspf, Mail::SPF and blitiri.com.ar/go/spf. All of them
// evaluate the same cases, and disagreements.tsv says of every kind of
// disagreement who reads RFC 7208 otherwise and why.
package spfpeers
