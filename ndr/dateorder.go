package ndr

import "github.com/mailfault/mailfault/internal/localdate"

// DateOrder is how a date such as 3/09/2016 was read.
type DateOrder = localdate.Order

const (
	OrderOpen  = localdate.Open       // not read, or day and month may be either way round
	MonthFirst = localdate.MonthFirst // 9/3/2016
	DayFirst   = localdate.DayFirst   // 3/9/2016
	YearFirst  = localdate.YearFirst  // 2016-09-03
)
