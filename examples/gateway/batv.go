package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// batvKey signs reverse paths in the form of the draft on bounce address tag
// validation: prvs=KDDDSSSSSS=user@example.org. A report that comes to an
// address without the signature is about mail we did not send. Nil signs
// nothing.
type batvKey []byte

const batvDays = 7 // a signature's life

// sign returns the address with a signature of that day.
func (k batvKey) sign(address string, now time.Time) string {
	if k == nil || address == "" || strings.HasPrefix(address, "prvs=") {
		return address
	}
	until := (int(now.Unix()/86400) + batvDays) % 1000
	return fmt.Sprintf("prvs=0%03d%s=%s", until, k.mac(until, address), address)
}

// restore returns the address without its signature, and whether that is ours
// and still good.
func (k batvKey) restore(address string, now time.Time) (string, bool) {
	tag, ok := strings.CutPrefix(address, "prvs=")
	if k == nil || !ok {
		return address, false
	}
	tag, original, ok := strings.Cut(tag, "=")
	if !ok || len(tag) != 10 {
		return address, false
	}
	until, err := strconv.Atoi(tag[1:4])
	if err != nil || !hmac.Equal([]byte(strings.ToLower(tag[4:])), []byte(k.mac(until, original))) {
		return address, false
	}
	left := ((until-int(now.Unix()/86400))%1000 + 1000) % 1000
	return original, left <= batvDays
}

// mac is six digits over the day and the address, whose domain may change case
// on the way.
func (k batvKey) mac(until int, address string) string {
	h := hmac.New(sha256.New, k)
	fmt.Fprintf(h, "0%03d%s", until, strings.ToLower(address))
	return fmt.Sprintf("%x", h.Sum(nil)[:3])
}

// sign signs the reverse path of mail that goes out from one of our domains.
func (g *gateway) sign(from string) string {
	if !g.own(from) {
		return from
	}
	return g.Key.sign(from, time.Now())
}

// mustBeSigned reports whether a report to that address has to carry our
// signature.
func (g *gateway) mustBeSigned(address string) bool { return g.Key != nil && g.own(address) }

// own reports whether the address is in one of our domains.
func (g *gateway) own(address string) bool {
	domain := address[strings.LastIndexByte(address, '@')+1:]
	return slices.ContainsFunc(g.OwnDomains, func(d string) bool { return strings.EqualFold(d, domain) })
}
