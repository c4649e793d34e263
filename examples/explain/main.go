// Explain says why a mail was not delivered and who can fix it.
//
//	explain FILE...|DIR...|-
//	explain -reply '550 5.7.1 ...'
//	explain -summary [-json|-csv] [-html FILE] [-suppress FILE] FILE...|DIR...|-
//
// It reads mails, mboxes, Maildirs and folders of them, text pasted from a mail
// client, a saved HTML body, a bare SMTP reply and the log of a mail server. The
// exit code is 1 where an input was no report; the rest is still explained.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/mailfault/mailfault/examples/internal/progress"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// options are the command line's.
type options struct {
	json, verbose bool
	reply, html   string
	summary, csv  bool
	suppress      string
	trace, sent   string
	dns           string
	paths         []string
}

const usage = `usage: explain [-json] [-v] [-html FILE] [-dns SERVER] [-trace FILE] [-sent FILE] FILE...|DIR...|-
       explain [-json] [-dns SERVER] -reply TEXT
       explain -summary [-json|-csv] [-html FILE] [-suppress FILE] FILE...|DIR...|-

Says why mail was not delivered and who can fix it: of mails, mboxes, Maildirs
and folders, pasted text, saved HTML, SMTP replies and mail server logs.

`

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("explain", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.BoolVar(&o.json, "json", false, "print one JSON document per message, one a line")
	flags.BoolVar(&o.verbose, "v", false, "list every repair that reading took")
	flags.StringVar(&o.reply, "reply", "", "explain this SMTP `reply`")
	flags.StringVar(&o.html, "html", "", "also write a self-contained page to `file`")
	flags.BoolVar(&o.summary, "summary", false, "say what all failures show together: patterns, counts, top domains")
	flags.BoolVar(&o.csv, "csv", false, "with -summary: print the counts as CSV")
	flags.StringVar(&o.suppress, "suppress", "", "with -summary: write the addresses to stop mailing to `file`, with reasons")
	flags.StringVar(&o.trace, "trace", "", "join the failed rows of this export of Microsoft's message trace")
	flags.StringVar(&o.sent, "sent", "", "`file` of the Message-IDs that were really sent, one a line")
	flags.StringVar(&o.dns, "dns", "", "ask DNS about refusals for SPF, DKIM and DMARC: this `server`, those of the \"system\", or a file of records")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	o.paths = flags.Args()
	if o.reply == "" && len(o.paths) == 0 {
		flags.Usage()
		return 2
	}
	if o.summary && o.dns != "" {
		fmt.Fprintln(stderr, "explain: -dns does not go with -summary")
		return 2
	}
	if !o.summary && (o.csv || o.suppress != "") {
		fmt.Fprintln(stderr, "explain: -csv and -suppress go with -summary")
		return 2
	}
	out := bufio.NewWriter(stdout)
	if o.summary {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second one ends the program, whatever it waits for
		return summarize(ctx, o, stdin, out, stderr)
	}
	code := explain(o, stdin, out, stdout, stderr)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(stderr, "explain:", err)
		return 2
	}
	return code
}

// explain writes what it has to say about every input as it goes.
func explain(o options, stdin io.Reader, out *bufio.Writer, stdout, stderr io.Writer) int {
	code := 0
	p := newPrinter(stdout)
	p.w = out
	around, err := newAround(o)
	if err != nil {
		fmt.Fprintln(stderr, "explain:", err)
		return 2
	}
	p.around = around
	var page *page
	if o.html != "" {
		page = newPage()
	}
	bar := progress.New(o.paths, stderr)
	ctx := context.Background()
	for d, err := range documents(ctx, o, stdin, bar) {
		if err != nil {
			bar.Clear()
			fmt.Fprintln(stderr, "explain:", printable(err.Error()))
			code = 1
			continue
		}
		if d.Error != "" {
			bar.Clear()
			fmt.Fprintf(stderr, "explain: %s: %s\n", printable(d.File), printable(d.Error))
			code = 1
		}
		around.ask(ctx, &d)
		switch {
		case o.json:
			if err := d.WriteJSON(out); err != nil {
				fmt.Fprintln(stderr, "explain:", err)
				return 2
			}
		case d.Error == "":
			p.document(&d, o.verbose)
		}
		if page != nil {
			page.add(d, around.sent.origin(&d))
		}
	}
	bar.Finish()
	if page != nil {
		if err := writeWhole(o.html, page.writeTo); err != nil {
			fmt.Fprintln(stderr, "explain:", err)
			return 2
		}
	}
	return code
}
