package dnscheck

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// gravest are the ids of the findings above Info.
func gravest(findings []Finding) string {
	var ids []string
	for _, f := range findings {
		if f.Severity > Info {
			ids = append(ids, f.ID)
		}
	}
	return strings.Join(ids, " ")
}

// A check whose caller leaves says so, and takes nothing that it could not ask
// for a fault of DNS.
func TestCheckDomainThatIsLeft(t *testing.T) {
	left := errors.New("the user has left")
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(left)
		got := CheckDomain(ctx, readZone(t, goodDomain), "example.org", goodOptions)
		if !errors.Is(got.Err, left) || gravest(got.Findings) != "check-ended" || got.Usage.Queries != 0 {
			t.Errorf("%v, %s, %+v", got.Err, gravest(got.Findings), got.Usage)
		}
	})
	t.Run("on the way", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		zone := readZone(t, goodDomain)
		got := CheckDomain(ctx, resolverFunc(func(ctx context.Context, name string, typ Type) Answer {
			if strings.HasPrefix(name, "mail.") {
				cancel(left)
			}
			if ctx.Err() != nil {
				return Answer{Outcome: Timeout, Err: ctx.Err()}
			}
			return zone.Lookup(ctx, name, typ)
		}), "example.org", goodOptions)
		if !errors.Is(got.Err, left) {
			t.Errorf("%v", got.Err)
		}
		for _, f := range got.Findings {
			if f.Severity > Info && f.Owner == OwnerResolver && f.ID != "check-ended" {
				t.Error(f)
			}
		}
	})
}

// A resolver around nothing is told as that, and not as a fault of DNS.
func TestCheckDomainWithAResolverAroundNothing(t *testing.T) {
	for _, r := range []Resolver{&Cache{}, &Limit{}, &Recorder{}, &Cache{Resolver: &Limit{}}, (*Cache)(nil), (*Limit)(nil)} {
		got := CheckDomain(t.Context(), r, "example.org", goodOptions)
		if !errors.Is(got.Err, ErrNoResolver) || gravest(got.Findings) != "check-ended" {
			t.Errorf("%T: %v, %s", r, got.Err, gravest(got.Findings))
		}
	}
}

// What DNS did fail to answer stays a fault where the budget runs out beside it.
func TestBudgetDoesNotHideAFault(t *testing.T) {
	zone := readZone(t, goodDomain)
	zone.SetOutcome("example.org", TypeMX, ServFail)
	got := CheckDomain(t.Context(), zone, "example.org", DomainOptions{Senders: goodOptions.Senders, MaxQueries: 6, MaxParallel: 1})
	if got.Err != nil || got.Usage.Refused == 0 || !hasFinding(got.Findings, "check-budget") {
		t.Errorf("%v, %+v", got.Err, got.Usage)
	}
	for _, f := range got.Findings {
		answered := f.Where.Name == "example.org" && f.Where.Type == TypeMX
		if f.Severity > Info && f.Owner == OwnerResolver && f.ID != "check-budget" && !answered {
			t.Error(f)
		}
	}
}

// A fetcher that does not heed its context holds nobody up.
func TestPolicyFetcherThatNeverReturns(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	left := errors.New("the user has left")
	ctx, cancel := context.WithCancelCause(t.Context())
	got := CheckDomain(ctx, readZone(t, goodDomain), "example.org", DomainOptions{FetchPolicy: func(context.Context, string) ([]byte, error) {
		cancel(left)
		<-release
		return nil, nil
	}})
	if !errors.Is(got.MTASTS.Err, left) || !errors.Is(got.Err, left) || !hasFinding(got.Findings, "mta-sts-policy-late") || !hasFinding(got.Findings, "check-ended") {
		t.Errorf("%v, %v, %s", got.Err, got.MTASTS.Err, findingIDs(got.Findings))
	}
}

// The check's own time ends it too, and is no error of the caller's.
func TestCheckDomainWhoseTimeIsSpent(t *testing.T) {
	got := CheckDomain(t.Context(), resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		<-ctx.Done()
		return Answer{Outcome: Timeout, Err: ctx.Err()}
	}), "example.org", DomainOptions{Timeout: time.Millisecond})
	if got.Err != nil || !strings.Contains(gravest(got.Findings), "check-time") {
		t.Errorf("%v, %s", got.Err, findingIDs(got.Findings))
	}
	for _, f := range got.Findings {
		if f.Severity > Info && !strings.HasPrefix(f.ID, "check-") && f.ID != "spf-audit-ended" {
			t.Error(f)
		}
	}
}
