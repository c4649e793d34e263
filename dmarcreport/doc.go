// Package dmarcreport reads DMARC aggregate reports.
package dmarcreport
