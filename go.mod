module github.com/mailfault/mailfault

go 1.26.0

require (
	github.com/emersion/go-message v0.18.2
	github.com/emersion/go-msgauth v0.7.0
	github.com/google/go-cmp v0.7.0
	golang.org/x/net v0.62.0
	golang.org/x/text v0.44.0
)

require golang.org/x/crypto v0.58.0 // indirect
