package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
)

// lines prints values as JSON, one a line.
func lines[T any](a *app, values []T) error {
	enc := json.NewEncoder(a.stdout)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) sources(ctx context.Context, args []string) error {
	flags, parse := a.flags("sources", "DOMAIN", 1)
	asJSON := flags.Bool("json", false, "print JSON, one source a line")
	if err := parse(args); err != nil {
		return err
	}
	h, closeDB, err := a.openOld(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	domain, err := known(ctx, h, flags.Arg(0))
	if err != nil {
		return err
	}
	sources, err := h.Sources(ctx, domain, history.Period{})
	if err != nil || *asJSON {
		return errors.Join(err, lines(a, sources))
	}
	tw := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "source\tstate\tpassed\tfailed\tmuted\tfirst seen\tlast seen\tfailing since")
	for _, s := range sources {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", digest.Plain(s.Source), s.State, s.Pass, s.Fail, s.Muted, s.FirstSeen, s.LastSeen, s.FailingSince)
	}
	return tw.Flush()
}

func (a *app) events(ctx context.Context, args []string) error {
	flags, parse := a.flags("events", "[DOMAIN]", 0)
	asJSON := flags.Bool("json", false, "print JSON, one event a line")
	log := flags.Bool("log", false, "print how they became known: told, amended, retracted")
	if err := parse(args); err != nil {
		return err
	}
	h, closeDB, err := a.openOld(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	domain := ""
	if flags.NArg() > 0 {
		if domain, err = known(ctx, h, flags.Arg(0)); err != nil {
			return err
		}
	}
	if *log {
		entries, err := h.Store.Log(ctx, 0, -1)
		entries = slices.DeleteFunc(entries, func(e history.Entry) bool { return domain != "" && domain != e.Event.Domain })
		if err != nil || *asJSON {
			return errors.Join(err, lines(a, entries))
		}
		for _, e := range entries {
			fmt.Fprintf(a.stdout, "learnt %s  %s  %s: %s\n", e.Learnt.Format(time.DateOnly), e.Change, digest.Plain(e.Event.Domain), sentence(e))
		}
		return nil
	}
	events, err := h.Events(ctx, domain)
	if err != nil || *asJSON {
		return errors.Join(err, lines(a, events))
	}
	for _, e := range events {
		fmt.Fprintf(a.stdout, "%s  %s: %s\n", e.Day, digest.Plain(e.Domain), digest.Sentence(e))
	}
	return nil
}

func (a *app) digest(ctx context.Context, args []string) error {
	flags, parse := a.flags("digest", "[DOMAIN...]", 0)
	until := flags.String("until", "", "the last day, as 2006-01-02; yesterday if empty")
	length := flags.Int("days", 7, "how many days")
	send := flags.String("send", "", "mail it by this server: smtp://HOST[:PORT] or smtps://HOST")
	from := flags.String("from", "", "the sender's address")
	to := flags.String("to", "", "the address the domains share")
	skip := flags.Bool("skip-clean", false, "mail nothing where all is clean, and note that")
	again := flags.Bool("again", false, "with -send, mail also what a killed run left half done")
	fates := flags.Bool("list", false, "list which digests were sent and which were skipped")
	format := flags.String("format", "text", "what to print: text, html, mail or json")
	if err := parse(args); err != nil {
		return err
	}
	h, closeDB, err := a.openOld(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	if *fates {
		return a.fates(ctx, h)
	}
	if *length < 1 || *length > digest.MaxDays {
		return fmt.Errorf("digest: -days takes 1 to %d", digest.MaxDays)
	}
	last := history.DayOf(time.Now()) - 1
	if *until != "" {
		if err := last.UnmarshalText([]byte(*until)); err != nil {
			return err
		}
	}
	// One that nothing is known of is no mistake here: that no report comes is
	// what its digest says.
	var domains []string
	for _, name := range flags.Args() {
		domains = append(domains, domainName(name))
	}
	if len(domains) == 0 {
		if domains, err = h.Store.Domains(ctx); err != nil {
			return err
		}
	}
	d, err := digest.Make(ctx, h, *to, history.Period{First: last - history.Day(*length) + 1, Last: last}, domains...)
	if err != nil {
		return err
	}
	if *send != "" {
		return a.sendDigest(ctx, h, d, *send, *from, *skip, *again)
	}
	switch *format {
	case "html":
		return d.HTML(a.stdout, inlineChart(d))
	case "mail":
		return d.Mail(a.stdout, *from, time.Now())
	case "json":
		return lines(a, []*digest.Digest{d})
	}
	return d.Text(a.stdout)
}

// inlineChart returns the charts of a digest as addresses that hold them, so
// that the page needs nothing but itself.
func inlineChart(d *digest.Digest) func(int) string {
	return func(i int) string {
		var b bytes.Buffer
		if err := d.Domains[i].Chart(&b); err != nil {
			return ""
		}
		return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
	}
}

func (a *app) prune(ctx context.Context, args []string) error {
	flags, parse := a.flags("prune", "", 0)
	keep := flags.Int("keep", 366, "how many days to keep; first seen, last passed and what still fails are never forgotten")
	if err := parse(args); err != nil {
		return err
	}
	if *keep < 1 {
		return errors.New("prune: -keep must be at least one day")
	}
	h, closeDB, err := a.openOld(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	h.Rules.KeepDays = *keep
	now := time.Now()
	if err := h.Prune(ctx, now); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "kept from %s on\n", history.DayOf(now)-history.Day(*keep))
	return nil
}

func (a *app) fates(ctx context.Context, h *history.History) error {
	fates, err := digest.Fates(ctx, h)
	var keys []string
	for k := range fates {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(a.stdout, "%s  %s\n", k, fates[k])
	}
	return err
}

// sendDigest mails a digest, unless that was done before. With again it also
// mails one that a killed run left half done.
func (a *app) sendDigest(ctx context.Context, h *history.History, d *digest.Digest, server, from string, skip, again bool) error {
	u, err := serverURL(server)
	if err != nil {
		return fmt.Errorf("digest: -send: %w", err)
	}
	sender, err := addresses([]string{from})
	if err != nil || len(sender) != 1 {
		return fmt.Errorf("digest: -send needs -from ADDRESS (%v)", err)
	}
	to, err := addresses([]string{d.Address})
	if err != nil || len(to) != 1 {
		return fmt.Errorf("digest: -send needs -to ADDRESS, one (%v)", err)
	}
	if again {
		if err := digest.Release(ctx, h, d.Address, d.Period); err != nil {
			return err
		}
	}
	mailed := false
	fate, err := digest.Send(ctx, h, d, skip, func(d *digest.Digest) error {
		var b bytes.Buffer
		if err := d.Mail(&b, from, time.Now()); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, alertTimeout)
		defer cancel()
		err := sendMail(ctx, u, sender[0], to, b.Bytes())
		mailed = err == nil
		return err
	})
	if err != nil {
		return err
	}
	note := ""
	switch {
	case fate == digest.Sending:
		note = " (another run is at it, or was killed: -again sends it)"
	case fate == digest.Sent && !mailed:
		note = " before, one an address and period: nothing was mailed now"
	}
	fmt.Fprintf(a.stdout, "%s to %s for %s: %s%s\n", d.Period.First, d.Period.Last, d.Address, fate, note)
	return nil
}
