package dnscheck

import "sync"

// each does something for every element of a list at the same time. Lists are
// bounded by what made them, and [Limit] bounds the questions in flight.
func each[T any](list []T, do func(*T)) {
	var all sync.WaitGroup
	for i := range list {
		all.Go(func() { do(&list[i]) })
	}
	all.Wait()
}

// together does all of these at the same time and returns when all are done.
func together(tasks ...func()) { each(tasks, func(task *func()) { (*task)() }) }
