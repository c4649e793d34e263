package history

import "slices"

// Marks are what is known of a source after its days so far. They are all that
// a later day needs, so they outlive rows that were pruned: an old sender
// never becomes a new one again.
type Marks struct {
	FirstSeen Day `json:"first_seen,omitzero"`
	LastSeen  Day `json:"last_seen,omitzero"`
	FirstFail Day `json:"first_fail,omitzero"`
	LastFail  Day `json:"last_fail,omitzero"`
	LastPass  Day `json:"last_pass,omitzero"`
	// FailingSince is the first day of the open episode of failure, zero
	// where none is open.
	FailingSince Day `json:"failing_since,omitzero"`
	// PassingSince is the first passing day since the last failing one of an
	// open episode: where it will have recovered from, should it last.
	PassingSince Day `json:"passing_since,omitzero"`
	// Seen is the number of days with mail since the source last went quiet.
	Seen int `json:"seen,omitempty"`
}

// State returns where the source stands.
func (m *Marks) State() State {
	switch {
	case m.FailingSince != 0:
		return Failing
	case m.LastPass != 0:
		return Passing
	case m.LastSeen != 0:
		return MutedOnly
	}
	return StateUnknown
}

// sourceFold derives the events of one source from its days in order.
type sourceFold struct {
	rules
	domain, source string
	Marks
	// jumpFrom is the first day whose volume can be judged, zero for any: for
	// those before it, the days that say what is usual are not at hand.
	jumpFrom Day
	jumped   Day // the latest day whose volume was a jump
	events   []Event
}

// run folds days, the last of which is not after horizon, the latest day that
// any report tells of, and finishes. It returns the events in order.
func (f *sourceFold) run(days []DayTotals, horizon Day) []Event {
	f.days(days)
	f.finish(horizon)
	slices.SortFunc(f.events, Event.Compare)
	return f.events
}

func (f *sourceFold) days(days []DayTotals) {
	for i := range days {
		f.day(days, i)
	}
}

func (f *sourceFold) day(days []DayTotals, i int) {
	d := days[i]
	if d.Messages() == 0 { // a report of many days ends, which are counted on its first
		f.LastSeen = d.Day
		return
	}
	f.silence(d.Day)
	f.settleBefore(d.Day)
	f.jump(days, i)

	failing := d.Fail >= f.fail
	if failing {
		f.failing(d.Day)
	} else if d.Pass > 0 && f.FailingSince != 0 && f.PassingSince == 0 {
		f.PassingSince = d.Day
	}
	if d.Pass > 0 {
		f.LastPass = d.Day
	}
	if f.FirstSeen == 0 {
		f.FirstSeen = d.Day
	}
	f.LastSeen = d.Day
	f.Seen++
	if f.settle == 0 {
		f.settleBefore(d.Day)
	}
}

func (f *sourceFold) failing(day Day) {
	f.PassingSince = 0
	if f.FailingSince == 0 {
		switch {
		case f.LastPass != 0:
			f.emit(StartedFailing, day, f.LastPass)
		case f.FirstFail == 0:
			f.emit(NewFailingSource, day, 0)
		}
		f.FailingSince = day
	}
	if f.FirstFail == 0 {
		f.FirstFail = day
	}
	f.LastFail = day
}

// silence notes a gap before day, the next day with mail or the horizon. The
// day on which the silence grows too long must itself be over.
func (f *sourceFold) silence(day Day) {
	if f.quiet == 0 || f.LastSeen == 0 || f.Seen < f.regular || day <= f.LastSeen+f.quiet {
		return
	}
	f.emit(GoneQuiet, f.LastSeen+f.quiet, f.LastSeen)
	f.Seen = 0
}

// settleBefore closes an episode that has been free of failing days for long
// enough when day begins.
func (f *sourceFold) settleBefore(day Day) {
	if f.PassingSince == 0 || day < f.PassingSince+f.settle {
		return
	}
	f.emit(Recovered, f.PassingSince, f.FailingSince)
	f.FailingSince, f.PassingSince = 0, 0
}

// jump compares the day's volume with the median of the days with mail in the
// window before it. Days in a row that jump are one event.
func (f *sourceFold) jump(days []DayTotals, i int) {
	d := days[i]
	if f.jumpFactor == 0 || d.Messages() < f.jumpMessages || d.Day < f.jumpFrom {
		return
	}
	var usual []int64
	for j := i - 1; j >= 0 && days[j].Day >= d.Day-jumpWindow; j-- {
		if n := days[j].Messages(); n > 0 {
			usual = append(usual, n)
		}
	}
	if len(usual) < f.regular {
		return
	}
	slices.Sort(usual)
	if d.Messages()/f.jumpFactor < usual[len(usual)/2] {
		return
	}
	// On jumpFrom itself nobody knows whether the day before was a jump.
	if f.jumped != d.Day-1 && (f.jumpFrom == 0 || d.Day > f.jumpFrom) {
		f.emit(VolumeJump, d.Day, 0)
	}
	f.jumped = d.Day
}

// finish notes what the horizon shows: it can only confirm a recovery or a
// silence.
func (f *sourceFold) finish(horizon Day) {
	f.silence(horizon)
	f.settleBefore(horizon)
}

// due returns the first horizon on which finish will find more than it has
// found, zero where only another day with mail can change anything.
func (f *sourceFold) due() Day {
	var due Day
	if f.PassingSince != 0 {
		due = f.PassingSince + f.settle
	}
	if f.quiet != 0 && f.LastSeen != 0 && f.Seen >= f.regular {
		if quiet := f.LastSeen + f.quiet + 1; due == 0 || quiet < due {
			due = quiet
		}
	}
	return due
}

func (f *sourceFold) emit(kind Kind, day, since Day) {
	f.events = append(f.events, Event{Kind: kind, Domain: f.domain, Source: f.source, Day: day, Since: since})
}
