// Dmarcwatch remembers who sends mail in the name of your domains and says on
// the day when a source first fails DMARC, or when one that passed starts to.
//
//	dmarcwatch [-db FILE|postgres://...] COMMAND
//
// The commands are ingest, sources, events, digest, prune and serve; each says with -h
// what it takes. The exit code is 0 where all went well, 1 where something
// could not be read or sent, and 2 for a wrong call.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
	"github.com/mailfault/mailfault/examples/internal/database"
)

const usage = `usage: dmarcwatch [-db FILE|postgres://...] COMMAND

  ingest PATH...    add reports: files, mails, mailboxes, folders
  sources DOMAIN    who sends in the name of a domain, failing ones first
  events [DOMAIN]   what happened
  digest DOMAIN...  sum up a week, as text or mail
  prune             drop what is older than a year, and keep what it taught
  serve             show it all on a local web page

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is what all commands share.
type app struct {
	dsn            string
	stdin          io.Reader
	stdout, stderr io.Writer
}

const dbUsage = "the history: an SQLite file, or the address of a PostgreSQL database"

// errUsage says that the call was wrong and that this was said.
var errUsage = errors.New("usage")

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	flags := flag.NewFlagSet("dmarcwatch", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.StringVar(&a.dsn, "db", "dmarcwatch.db", dbUsage)
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	commands := map[string]func(context.Context, []string) error{
		"ingest": a.ingest, "sources": a.sources, "events": a.events, "digest": a.digest, "prune": a.prune, "serve": a.serve,
	}
	command := commands[flags.Arg(0)]
	if command == nil {
		flags.Usage()
		return 2
	}
	err := command(ctx, flags.Args()[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	fmt.Fprintf(stderr, "dmarcwatch: %v\n", err)
	return 1
}

// flags returns a set for a command, and a parse that takes flags before and
// behind the arguments and checks how many of these there are.
func (a *app) flags(name, args string, least int) (*flag.FlagSet, func([]string) error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(a.stderr)
	flags.StringVar(&a.dsn, "db", a.dsn, dbUsage)
	flags.Usage = func() {
		fmt.Fprintf(a.stderr, "usage: dmarcwatch %s [flags] %s\n\n", name, args)
		flags.PrintDefaults()
	}
	return flags, func(given []string) error {
		rest := []string{"--"}
		for {
			if err := flags.Parse(given); errors.Is(err, flag.ErrHelp) {
				return err
			} else if err != nil {
				return errUsage
			}
			if flags.NArg() == 0 {
				break
			}
			if end := len(given) - flags.NArg() - 1; end >= 0 && given[end] == "--" {
				rest = append(rest, flags.Args()...)
				break
			}
			rest, given = append(rest, flags.Arg(0)), flags.Args()[1:]
		}
		if err := flags.Parse(rest); err != nil {
			return errUsage
		}
		if flags.NArg() < least {
			flags.Usage()
			return errUsage
		}
		return nil
	}
}

// openOld opens a history that is there: looking at none makes none.
func (a *app) openOld(ctx context.Context) (*history.History, func(), error) {
	h, closeDB, err := database.OpenOldHistory(ctx, a.dsn)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("no history in %s: dmarcwatch ingest makes one, -db names another", a.dsn)
	}
	return h, closeDB, a.named(err)
}

// domainName returns a domain as the history writes it.
func domainName(s string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), ".")
}

// known returns a domain as the history writes it. One that it has nothing
// about is an error: it is more likely mistyped than free of mail.
func known(ctx context.Context, h *history.History, domain string) (string, error) {
	domain = domainName(domain)
	all, err := h.Store.Domains(ctx)
	if err == nil && !slices.Contains(all, domain) {
		err = fmt.Errorf("no report about %q has come", domain)
	}
	return domain, err
}

// open opens the history, and makes it where there is none.
func (a *app) open(ctx context.Context) (*history.History, func(), error) {
	h, closeDB, err := database.OpenHistory(ctx, a.dsn)
	return h, closeDB, a.named(err)
}

// named adds the file to an error. The other database's name may hold a password.
func (a *app) named(err error) error {
	if err != nil && database.DialectOf(a.dsn) == sqlstore.SQLite {
		err = fmt.Errorf("%s: %w", a.dsn, err)
	}
	return err
}
