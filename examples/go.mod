module github.com/mailfault/mailfault/examples

go 1.26.0

require github.com/mailfault/mailfault v0.0.0

// Until the first tag the examples build against this checkout, with or
// without the workspace file one folder up.
replace github.com/mailfault/mailfault => ../
