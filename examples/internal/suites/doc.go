// Package suites runs the public test suites that come as YAML against the
// library. It holds tests alone.
package suites
