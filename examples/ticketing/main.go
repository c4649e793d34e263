// Ticketing takes in the mail of a help desk: it tells reports about mail,
// automatic answers and people apart, finds the ticket, and says on it why a
// mail was not delivered and who can fix it.
//
//	ticketing -demo
//	ticketing -domain desk.example.org -maildir /var/mail/desk -webhook https://...
//	ticketing -domain desk.example.org -imap imaps://desk@mail.example.org/INBOX -listen 127.0.0.1:8026
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "ticketing:", err)
		os.Exit(1)
	}
}

// options are the command line's.
type options struct {
	db, key, domain, own, dns, history   string
	maildir, imap, imapPassword, listen  string
	webhook, webhookSecret, shape, token string
	to                                   string
	mark                                 int64
	every                                time.Duration
	allMarked, demo, sent, shown         bool
	paths                                []string
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("ticketing", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.demo, "demo", false, "take in the mails of the example's own desk, in memory, and show the tickets; with -listen, on the page")
	f.StringVar(&o.db, "db", "ticketing.db", "the store: an SQLite `file`, or the address of a PostgreSQL database")
	f.StringVar(&o.domain, "domain", "", "the `domain` of the desk's addresses and message ids")
	f.StringVar(&o.key, "key", "ticketing.key", "the `file` with the key that signs the marks of our mail; made where there is none")
	f.BoolVar(&o.allMarked, "all-marked", false, "all our mail has the mark or is told with -sent: a report about other mail is not ours")
	f.StringVar(&o.own, "own", "", "`domains` whose DKIM signature makes returned mail ours (needs -dns)")
	f.StringVar(&o.maildir, "maildir", "", "take in the new mail of this Maildir `folder`")
	f.BoolVar(&o.shown, "shown", false, "with -maildir, take in what a mail program has already shown, too: all of cur, old mail as well")
	f.StringVar(&o.imap, "imap", "", "take in the mail of this `mailbox`: imaps://user@host/INBOX")
	f.StringVar(&o.imapPassword, "imap-password", "", "the `file` with its password")
	f.DurationVar(&o.every, "every", 0, "look again after this long, until interrupted")
	f.StringVar(&o.listen, "listen", "", "show the tickets on a page at this `address`, and take raw mail by POST /mail; the page has no password")
	f.StringVar(&o.token, "token", "", "the `file` with the bearer token that POST /mail asks for")
	f.StringVar(&o.webhook, "webhook", "", "post what happens to tickets to this `URL`")
	f.StringVar(&o.shape, "shape", "plain", "in this `form`: plain, zendesk, jira, zammad")
	f.StringVar(&o.webhookSecret, "webhook-secret", "", "the `file` with the key that signs what is posted")
	f.StringVar(&o.dns, "dns", "", "ask this DNS `server`, those of the \"system\", or a file of records")
	f.StringVar(&o.history, "history", "", "the `history` of DMARC reports that dmarcwatch keeps, to look sources up in")
	f.Int64Var(&o.mark, "mark", 0, "print the marks for a mail about this `ticket`, and end")
	f.StringVar(&o.to, "to", "", "the `address` that mail goes to")
	f.BoolVar(&o.sent, "sent", false, "remember the mails in the paths that follow as sent by us, and end")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.paths = f.Args()
	switch {
	case len(o.paths) > 0 && !o.sent:
		return nil, fmt.Errorf("%s: not understood", o.paths[0])
	case o.demo || o.sent:
	case o.domain == "" && (o.mark > 0 || o.maildir != "" || o.imap != ""):
		return nil, errors.New("-domain is needed: the domain of the desk's addresses")
	case o.mark == 0 && o.maildir == "" && o.imap == "" && o.listen == "" && o.webhook == "":
		f.Usage()
		return nil, errors.New("nothing to do: try -demo")
	}
	return o, nil
}

// mailSource is a mailbox that mail is taken from.
type mailSource interface {
	scan(ctx context.Context, to take) (int, error)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.demo {
		end, err := o.prepareDemo()
		if err != nil {
			return err
		}
		defer end()
	}
	k, closeStore, err := o.desk(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	switch {
	case o.mark > 0:
		return printMarks(stdout, k.Marks, o.mark, o.to)
	case o.sent:
		n, err := k.remember(ctx, o.paths)
		fmt.Fprintf(stdout, "mails remembered as sent: %d\n", n)
		return err
	}
	if o.demo {
		if err := k.runDemo(ctx, o, stdout); err != nil || o.listen == "" {
			return err
		}
		o.maildir = ""
	}
	sources, err := o.sources(k.store)
	if err != nil {
		return err
	}
	hook, err := o.hook()
	if err != nil {
		return err
	}
	if o.listen == "" {
		return k.work(ctx, o, sources, hook, stdout, stderr)
	}
	if o.every <= 0 {
		o.every = time.Minute
	}
	failed := make(chan error, 1)
	go func() { failed <- k.work(ctx, o, sources, hook, stdout, stderr) }()
	err = k.serve(ctx, o, stdout, stderr)
	return errors.Join(err, <-failed)
}

// desk opens the store and reads the key.
func (o *options) desk(ctx context.Context) (*desk, func(), error) {
	k := &desk{now: time.Now}
	if o.domain != "" {
		m, err := readMarks(o.key, o.domain)
		if err != nil {
			return nil, nil, err
		}
		k.Marks = m
	}
	k.AllMarked = o.allMarked
	k.OwnDomains = strings.FieldsFunc(o.own, func(r rune) bool { return r == ',' || r == ' ' })
	if o.dns != "" {
		resolver, err := askdns.Named(o.dns)
		if err != nil {
			return nil, nil, err
		}
		k.Resolver = resolver
		k.LookupTXT = lookupTXT(resolver)
	}
	s, err := openStore(ctx, o.db)
	if err != nil {
		return nil, nil, err
	}
	k.store = s
	return k, func() { s.db.Close() }, nil
}

// lookupTXT asks for TXT records, each in one piece.
func lookupTXT(r dnscheck.Resolver) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, name string) (texts []string, err error) {
		answer := r.Lookup(ctx, strings.ToLower(strings.TrimSuffix(name, ".")), dnscheck.TypeTXT)
		if answer.Outcome.Failed() {
			return nil, answer.Err
		}
		for _, txt := range answer.TXT {
			texts = append(texts, txt.Text)
		}
		return texts, nil
	}
}

func (o *options) sources(s *store) (all []mailSource, err error) {
	if o.maildir != "" {
		d := maildir{Dir: o.maildir}
		if o.shown {
			d.Shown = s
		}
		all = append(all, d)
	}
	if o.imap != "" {
		box, err := parseIMAP(o.imap, o.imapPassword)
		if err != nil {
			return nil, err
		}
		all = append(all, box)
	}
	return all, nil
}

func (o *options) hook() (*webhook, error) {
	s, err := parseShape(o.shape)
	if err != nil || o.webhook == "" {
		return nil, err
	}
	w := &webhook{URL: o.webhook, Shape: s, Client: &http.Client{Timeout: 15 * time.Second}}
	if o.webhookSecret != "" {
		secret, err := os.ReadFile(o.webhookSecret)
		if err != nil {
			return nil, err
		}
		w.Secret = []byte(strings.TrimSpace(string(secret)))
	}
	return w, nil
}

// work takes mail in and tells the webhook, once or again and again. What
// fails is said, stays where it is and is tried again.
func (k *desk) work(ctx context.Context, o *options, sources []mailSource, hook *webhook, stdout, stderr io.Writer) error {
	for {
		var errs []error
		took := 0
		for _, s := range sources {
			_, err := s.scan(ctx, func(ctx context.Context, data []byte) (outcome, error) {
				out, err := k.take(ctx, data)
				if err == nil {
					took++
					fmt.Fprintln(stdout, out)
				}
				return out, err
			})
			errs = append(errs, err)
		}
		if hook != nil {
			_, err := hook.deliver(ctx, k.store, k.now())
			errs = append(errs, err)
		}
		err := errors.Join(errs...)
		if ctx.Err() != nil {
			return nil
		}
		if o.every <= 0 {
			if took == 0 && err == nil && len(sources) > 0 {
				fmt.Fprintln(stdout, "no new mail")
			}
			return err
		}
		if err != nil {
			fmt.Fprintln(stderr, "ticketing:", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(o.every):
		}
	}
}
