// Package peers measures the library beside other libraries, in one run over
// the same data. It holds benchmarks alone.
package peers
