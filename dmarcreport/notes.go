package dmarcreport

// keepAlike is how many findings of one kind about one element are kept; the
// first of them counts the rest, so that a million alike hide nothing else.
const keepAlike = 10

// notes collects the findings of one report.
type notes struct {
	part     string
	strict   bool
	err      error // the first repair, where strict
	max      int64
	findings []Finding
	dropped  int
	where    func(at int64) spot
	alike    map[alikeKey]alikeCount
}

type alikeKey struct {
	id findingID
	el elementID
}

type alikeCount struct{ kept, first int }

// RepairError is what a strict reader returns for the first thing that a
// tolerant one repairs.
type RepairError struct{ Finding Finding }

// Error returns the finding in one line.
func (e *RepairError) Error() string { return "dmarcreport: " + e.Finding.String() }

// note is what happened; spec overrules the one of the table.
type note struct {
	id            findingID
	el            elementID
	child         string // name of a child that is missing or unknown
	at            int64
	spot          spot // of at; zero: look for it when the note is added
	spec          string
	before, after string
}

func (n *notes) add(f note) {
	kind := &findingKinds[f.id]
	key := alikeKey{f.id, f.el}
	seen := n.alike[key]
	if seen.kept >= keepAlike {
		n.findings[seen.first].More++
		return
	}
	fails := n.strict && kind.severity > Info && n.err == nil
	if int64(len(n.findings)) >= n.max && !fails {
		n.dropped++
		return
	}
	out := Finding{ID: kind.id, Severity: kind.severity, Spec: kind.spec, Message: kind.message, Before: f.before, After: f.after,
		Where: Position{Part: n.part, Path: f.el.path(), Offset: f.at}}
	if f.spec != "" {
		out.Spec = f.spec
	}
	if f.child != "" {
		if out.Where.Path != "" {
			out.Where.Path += "/"
		}
		out.Where.Path += f.child
	}
	if f.spot.line == 0 && n.where != nil {
		f.spot = n.where(f.at)
	}
	out.Where.Line, out.Where.Column = f.spot.line, f.spot.column
	if fails {
		n.err = &RepairError{out}
	}
	if int64(len(n.findings)) >= n.max {
		n.dropped++
		return
	}
	if seen.kept == 0 {
		seen.first = len(n.findings)
		if n.alike == nil {
			n.alike = make(map[alikeKey]alikeCount)
		}
	}
	seen.kept++
	n.alike[key] = seen
	n.findings = append(n.findings, out)
}
