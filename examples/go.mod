module github.com/mailfault/mailfault/examples

go 1.26.0

require (
	blitiri.com.ar/go/spf v1.6.0
	github.com/d--j/go-milter v0.10.1
	github.com/emersion/go-smtp v0.26.0
	github.com/google/go-cmp v0.7.0
	github.com/mailfault/mailfault v0.0.0
	github.com/schollz/progressbar/v3 v3.19.1
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/term v0.48.0
)

require (
	github.com/emersion/go-message v0.18.2 // indirect
	github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

// Until the first tag the examples build against this checkout, with or
// without the workspace file one folder up.
replace github.com/mailfault/mailfault => ../
