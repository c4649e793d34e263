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
// [AuditSPF] needs no client: it reads every record that a domain's record leads
// to and says what each term costs, who may send, and what is wrong. Two audits
// show who gains and loses ([SPFAudit.Diff]), and [Overlay] lays records over DNS that are not
// published yet.
//
// [CheckDomain] looks at all that a domain publishes about its mail at once, and
// lists what is wrong, what breaks mail first, with whose record it is:
//
//	check := dnscheck.CheckDomain(ctx, new(dnscheck.Client), "example.org", dnscheck.DomainOptions{})
//	fmt.Println(check.Findings)
//
// Its parts stand alone too: [CheckMX], [CheckIP], [DiscoverDKIM], [DiscoverDMARC],
// [CheckReports], [CheckMTASTS], [CheckTLSRPT] and [CheckBIMI]. [VerifyDKIM] takes a message,
// [EvaluateDMARC] the results of SPF and DKIM.
//
// [Explain] starts from a refusal: it says whether DNS agrees with it now, which term or tag
// is at fault, and what to change.
//
//	e := dnscheck.Explain(ctx, r, dnscheck.Refusal{AuthorDomain: "example.org", EnvelopeFrom: "a@example.org", SendingIP: ip})
//	fmt.Println(e.Agreement, e.Summary, e.Change)
//
// # Asking DNS
//
// DNS is asked through a [Resolver], which tells a name that does not exist from one
// without such records, both from a failure, and says how long the answer holds. Two
// ask the world, two answer from what they have, and four wrap another:
//
//   - [Client] asks recursive servers; its zero value the system's.
//   - [SystemResolver] asks through net.Resolver. Its answers say in Gaps what it
//     cannot know.
//   - [Zone] holds records in memory, for tests.
//   - [Recording] gives recorded answers again, offline.
//   - [Overlay] puts records not published yet before the published ones.
//   - [Cache] remembers answers for as long as they hold. One serves a whole program.
//   - [Limit] bounds what one check costs. Each check has its own.
//   - [Recorder] writes down all questions and answers of a check, and the policy it fetches.
//
// Together, outermost first: Recorder, Limit, Cache, Client.
//
// # Standards
//
// RFC 7208 (SPF), RFC 6376 with 8301 and 8463 (DKIM), RFC 9989 and beside it RFC
// 7489 (DMARC), RFC 5321 and 7505 (MX), RFC 8461 (MTA-STS), RFC 8460 (TLS reports),
// RFC 8601 (authentication results), RFC 1035, 2181, 2308 and 9520 (DNS).
package dnscheck
