package dnscheck

// Sections of RFC 9989 and RFC 9990 that findings name, and the words that the
// standard gives to a record. From draft-41 and draft-32, unverified against the
// final text.
const (
	spec9989URI       = "RFC 9989 section 4.6"
	spec9989Format    = "RFC 9989 section 4.7"
	spec9989Syntax    = "RFC 9989 section 4.8"
	spec9989Walk      = "RFC 9989 section 4.10"
	spec9989Policy    = "RFC 9989 section 4.10.1"
	spec9989Alignment = "RFC 9989 section 4.10.2"
	spec9989Reports   = "RFC 9989 section 5.1.3"
	spec9989Suffix    = "RFC 9989 section 5.2"
	spec9989General   = "RFC 9989 section 7.4"
	spec9989Percent   = "RFC 9989 appendix A.6"
	spec9989Removed   = "RFC 9989 appendix C.5.2"
	spec9990External  = "RFC 9990 section 4"

	dmarcVersion = "DMARC1"
	dmarcLabel   = "_dmarc."
	reportLabel  = "._report._dmarc."

	maxWalkQueries = 8 // of one tree walk
	walkCut        = 7 // labels that a longer name is cut down to after the first query
)
