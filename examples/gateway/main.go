// Gateway explains the bounces that pass it.
//
//	gateway -show bounce.eml
//	gateway -listen 127.0.0.1:2525 -next 127.0.0.1:25 -events reports.ndjson
//	gateway -milter 127.0.0.1:8890 -events reports.ndjson
//
// It stands in front of a mail server, as an SMTP proxy or as its milter.
// A report about mail gets header fields that say what happened, who can clear
// it and what they do first; a refusal by the next server gets one plain line;
// other mail passes as it came.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/mailfault/mailfault/examples/internal/askdns"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

// options are the command line's.
type options struct {
	listen, milter, next, hostname            string
	nextTLS, reports, quiet                   bool
	show, inside, own, events, sent, key, dns string
	cert, certKey                             string
	maxMail, maxReport, maxHeader, memory     int64
	maxConns, maxPerClient, maxRecipients     int
	idle, data, nextWait, decision, keep      time.Duration
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	host, _ := os.Hostname()
	f := flag.NewFlagSet("gateway", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.show, "show", "", "print the fields that the report in this `file` would get, and end")
	f.StringVar(&o.listen, "listen", "", "SMTP door: listen on this `address`")
	f.StringVar(&o.next, "next", "", "SMTP door: the server that mail goes on to, `host:port`")
	f.BoolVar(&o.nextTLS, "next-starttls", false, "insist on STARTTLS with the next server")
	f.StringVar(&o.milter, "milter", "", "milter door: listen on this `address`")
	f.StringVar(&o.cert, "cert", "", "SMTP door: offer STARTTLS with the certificate in this `file`")
	f.StringVar(&o.certKey, "cert-key", "", "SMTP door: the certificate's key is in this `file`")
	f.StringVar(&o.hostname, "hostname", host, "this gateway's `name`, in replies and results")
	f.StringVar(&o.inside, "inside", "", "`networks` whose mail is our own: 192.0.2.0/24,2001:db8::/32")
	f.StringVar(&o.own, "own", "", "our own `domains`: example.org,example.net")
	f.BoolVar(&o.reports, "reports", false, "tell senders inside of a refused recipient by a report instead of the reply")
	f.StringVar(&o.events, "events", "", "write each report as JSON to this `file`, or post it to this http(s) URL")
	f.StringVar(&o.sent, "sent", "", "remember message ids of mail from inside in this `file`, to know backscatter")
	f.DurationVar(&o.keep, "sent-keep", 7*24*time.Hour, "remember them for so long")
	f.StringVar(&o.key, "sign-key", "", "sign reverse paths of our own domains with the key in this `file`, to know backscatter")
	f.StringVar(&o.dns, "dns", "", "check SPF and DMARC of mail from outside, asking this DNS `server`, the one of the \"system\", or a file of records")
	f.Int64Var(&o.maxMail, "max-mail", 50<<20, "refuse larger mail, in `bytes`")
	f.Int64Var(&o.maxReport, "max-report", 2<<20, "read so many `bytes` of a possible report before it goes on")
	f.Int64Var(&o.maxHeader, "max-header", 256<<10, "refuse a larger header, in `bytes`")
	f.Int64Var(&o.memory, "memory", 256<<20, "hold at most so many `bytes` of all mail being read")
	f.IntVar(&o.maxConns, "max-connections", 500, "refuse further connections")
	f.IntVar(&o.maxPerClient, "max-per-client", 50, "refuse further connections from one address")
	f.IntVar(&o.maxRecipients, "max-recipients", 1000, "refuse further recipients of a mail")
	f.DurationVar(&o.idle, "idle", time.Minute, "wait so long for a client's next bytes")
	f.DurationVar(&o.data, "data", 10*time.Minute, "wait so long for a whole mail")
	f.DurationVar(&o.nextWait, "next-wait", 5*time.Minute, "wait so long for the next server's answers")
	f.DurationVar(&o.decision, "dns-wait", 10*time.Second, "ask DNS about one mail for so long")
	f.BoolVar(&o.quiet, "quiet", false, "log warnings and errors only")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%s: not understood", f.Arg(0))
	case o.show != "":
	case o.listen == "" && o.milter == "":
		f.Usage()
		return nil, errors.New("no door: give -listen and -next, or -milter, or all three")
	case o.listen != "" && o.next == "":
		return nil, errors.New("-listen needs -next")
	case (o.cert == "") != (o.certKey == ""):
		return nil, errors.New("-cert and -cert-key go together")
	}
	return o, nil
}

// run opens the doors and keeps them open until the context ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if o.quiet {
		level = slog.LevelWarn
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	g, err := o.gateway(log)
	if err != nil {
		return err
	}
	if o.show != "" {
		return g.show(ctx, o.show, stdout)
	}
	failed := make(chan error, 2)
	var closers []func(context.Context) error
	if o.listen != "" {
		door, err := o.door(g)
		if err != nil {
			return err
		}
		l, err := net.Listen("tcp", o.listen)
		if err != nil {
			return err
		}
		go func() { failed <- door.Serve(o.limited(l)) }()
		closers = append(closers, door.Shutdown)
		log.Info("SMTP door", "address", l.Addr().String(), "next", o.next)
	}
	if o.milter != "" {
		door, err := openMilter(g, o.milter)
		if err != nil {
			return err
		}
		closers = append(closers, door.Shutdown)
		log.Info("milter door", "address", door.Addr().String())
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// Mail under way has some time to come to its end; then what waits is told.
	inTime(ctx, func(ctx context.Context) {
		for _, shut := range closers {
			if shutErr := shut(ctx); shutErr != nil && !errors.Is(shutErr, context.DeadlineExceeded) {
				err = errors.Join(err, shutErr)
			}
		}
	})
	inTime(ctx, func(ctx context.Context) { err = errors.Join(err, g.Events.Close(ctx)) })
	return err
}

// inTime does what is left to do when ctx has ended, for five seconds.
func inTime(ctx context.Context, do func(context.Context)) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	do(last)
}

// show prints what the decision about a mail in a file would add to it.
func (g *gateway) show(ctx context.Context, file string, stdout io.Writer) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	d := g.decide(ctx, &mail{data: data, split: max(headerEnd(data), 0), whole: true})
	if d.Event == nil {
		return fmt.Errorf("%s: no report about mail; it would pass as it is", file)
	}
	_, err = stdout.Write(bytes.ReplaceAll(rewrite(nil, d.Add, nil), []byte("\r\n"), []byte("\n")))
	return err
}

// gateway returns the decision function that the options describe.
func (o *options) gateway(log *slog.Logger) (*gateway, error) {
	g := &gateway{Hostname: o.hostname, MaxReport: o.maxReport, Timeout: o.decision, Log: log}
	for network := range words(o.inside) {
		p, err := netip.ParsePrefix(network)
		if err != nil {
			return nil, fmt.Errorf("-inside: %w", err)
		}
		g.Inside = append(g.Inside, p)
	}
	for domain := range words(o.own) {
		g.OwnDomains = append(g.OwnDomains, domain)
	}
	var err error
	if o.sent != "" {
		if g.Sent, err = openSentMail(o.sent, o.keep); err != nil {
			return nil, err
		}
	}
	if o.key != "" {
		if g.Key, err = os.ReadFile(o.key); err != nil {
			return nil, err
		}
		if len(g.Key) < 16 {
			return nil, fmt.Errorf("-sign-key: %s has fewer than 16 bytes", o.key)
		}
	}
	if o.dns != "" {
		if g.Resolver, err = askdns.Named(o.dns); err != nil {
			return nil, err
		}
	}
	switch {
	case strings.HasPrefix(o.events, "http://"), strings.HasPrefix(o.events, "https://"):
		g.Events = toWebhook(o.events, log)
	case o.events != "":
		g.Events, err = toFile(o.events, log)
	}
	return g, err
}

func words(list string) func(func(string) bool) {
	return strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' })
}

func (o *options) limited(l net.Listener) net.Listener {
	return &limitListener{Listener: l, Max: o.maxConns, MaxPerClient: o.maxPerClient}
}
