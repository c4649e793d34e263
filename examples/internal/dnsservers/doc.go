// Package dnsservers proves package dnscheck's DNS client on real servers:
// Knot, which has the zones, and Unbound, which asks it and verifies DNSSEC. Both run
// on loopback with files of their own. It holds tests alone.
package dnsservers
