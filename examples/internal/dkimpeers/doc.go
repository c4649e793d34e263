// Package dkimpeers compares what this library and dkimpy (Debian: python3-dkim) say
// of the DKIM signatures of generated messages. dkimpy signs, the message or its key is
// changed on the way, and both verify; where they differ, it is for a reason that the
// test's table names.
package dkimpeers
