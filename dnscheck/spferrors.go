package dnscheck

import (
	"context"
	"errors"
)

// Reasons of a permerror or none, for errors.Is.
var (
	ErrTooManyLookups = errors.New("dnscheck: more than ten terms ask DNS")
	ErrTooManyVoids   = errors.New("dnscheck: more than two look-ups have no answer")
	ErrTooManyMX      = errors.New("dnscheck: a term leads to more than ten mail exchangers")
	ErrManyRecords    = errors.New("dnscheck: several records are published where one may be")
	ErrNoRecord       = errors.New("dnscheck: no such record is published")
	ErrBadDomain      = errors.New("dnscheck: there is no domain to check")
	ErrNoAddress      = errors.New("dnscheck: there is no client address to check")
	ErrDNS            = errors.New("dnscheck: DNS gave no answer")

	ErrLoop = errors.New("dnscheck: a record leads back to itself") // and with it the limit that ends the loop, as the standard has it

	errMacro = errors.New("dnscheck: a macro cannot be expanded")
)

// nameError is an error with the name it is about: that of an included domain as
// well as that of the checked one.
type nameError struct {
	name string
	err  error
}

func (e *nameError) Error() string {
	name := clip(e.name)
	switch e.err {
	case ErrManyRecords:
		return "dnscheck: " + name + " publishes several SPF records"
	case ErrNoRecord:
		return "dnscheck: " + name + " publishes no SPF record"
	}
	return "dnscheck: " + name + ": " + problem(e.err)
}

func (e *nameError) Unwrap() error { return e.err }

// inRecordOf says in whose record a syntax error is.
func inRecordOf(domain string, err error) error {
	if syntax := (*SPFSyntaxError)(nil); errors.As(err, &syntax) {
		syntax.Domain = domain
	}
	return err
}

// loopError is an ErrLoop and the limit that ended it.
type loopError struct{ limit error }

func (loopError) Error() string          { return ErrLoop.Error() }
func (e loopError) Is(target error) bool { return target == ErrLoop || target == e.limit }

// resultOf turns an error of a term into the result it makes.
func resultOf(err error) SPFResult {
	if errors.Is(err, ErrDNS) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return SPFTempError
	}
	return SPFPermError
}
