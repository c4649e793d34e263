// Package dnscheck checks what a domain publishes in DNS about its mail.
//
// [CheckSPF] evaluates SPF exactly as RFC 7208 says for one client and returns the
// path it took: each term, what it asked, what it got, what it cost, and which
// term decided.
//
//	result := dnscheck.CheckSPF(ctx, resolver, dnscheck.SPFQuery{
//		IP: ip, MailFrom: "user@example.org", HELO: "mail.example.org",
//	})
//	fmt.Println(result.Result, result.Lookups)
//
// DNS is asked through a [Resolver], which tells a name that does not exist from one
// without such records, and both from a failure. [Zone] is one in memory, for
// tests and for records not published yet.
package dnscheck
