// Package lists writes lists into JSON documents that have every key.
package lists

// Filled returns s, or an empty list where there is none: JSON has [] then, not
// null.
func Filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
