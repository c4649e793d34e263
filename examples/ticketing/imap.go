package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/mailfault/mailfault/examples/internal/mailbox"
)

// imapBox reads a mailbox on an IMAP server. A mail that is taken in gets a
// keyword and stays where it is, unseen; one that nobody can place is moved
// to the folder Unknown. Nothing is deleted.
type imapBox struct {
	URL      *url.URL // imaps://user@host/INBOX; imap:// asks for STARTTLS, but not of loopback
	Password string
}

// handled marks what was taken in. On a server that keeps no keywords the store
// knows the mail again.
const handled imap.Flag = "$MailfaultHandled"

// fetched is how many mails are asked for at once.
const fetched = 20

func parseIMAP(address, passwordFile string) (*imapBox, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "imap" && u.Scheme != "imaps" || u.Hostname() == "" || u.User == nil {
		return nil, fmt.Errorf("-imap %s: imaps://user@host/INBOX", address)
	}
	box := &imapBox{URL: u}
	if passwordFile != "" {
		password, err := os.ReadFile(passwordFile)
		if err != nil {
			return nil, err
		}
		box.Password = strings.TrimRight(string(password), "\r\n")
	}
	return box, nil
}

func (b *imapBox) dial() (*imapclient.Client, error) {
	host, port := b.URL.Hostname(), b.URL.Port()
	loopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	switch {
	case port == "" && b.URL.Scheme == "imaps":
		port = "993"
	case port == "":
		port = "143"
	}
	address := net.JoinHostPort(host, port)
	switch {
	case b.URL.Scheme == "imaps":
		return imapclient.DialTLS(address, nil)
	case loopback:
		return imapclient.DialInsecure(address, nil)
	}
	return imapclient.DialStartTLS(address, nil)
}

func (b *imapBox) scan(ctx context.Context, to take) (taken int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("IMAP %s: %w", b.URL.Host, err)
		}
	}()
	c, err := b.dial()
	if err != nil {
		return 0, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	if err := c.Login(b.URL.User.Username(), b.Password).Wait(); err != nil {
		return 0, err
	}
	name := strings.TrimPrefix(b.URL.Path, "/")
	if name == "" {
		name = "INBOX"
	}
	if _, err := c.Select(name, nil).Wait(); err != nil {
		return 0, err
	}
	found, err := c.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{handled}}, nil).Wait()
	if err != nil {
		return 0, err
	}
	uids := found.AllUIDs()
	for len(uids) > 0 {
		n := min(fetched, len(uids))
		done, err := b.some(ctx, c, uids[:n], to)
		taken += done
		if err != nil {
			return taken, err
		}
		uids = uids[n:]
	}
	return taken, c.Logout().Wait()
}

// some takes the mails of a few ids, the large ones left out, one after the
// other.
func (b *imapBox) some(ctx context.Context, c *imapclient.Client, uids []imap.UID, to take) (taken int, err error) {
	sizes, err := c.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, RFC822Size: true}).Collect()
	if err != nil {
		return 0, err
	}
	for _, size := range sizes {
		if size.RFC822Size > mailbox.MaxMessage {
			if err := b.aside(c, size.UID); err != nil {
				return taken, err
			}
			continue
		}
		section := &imap.FetchItemBodySection{Peek: true}
		got, err := c.Fetch(imap.UIDSetNum(size.UID), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}).Collect()
		if err != nil {
			return taken, err
		}
		if len(got) == 0 {
			continue // another program took it
		}
		o, err := to(ctx, got[0].FindBodySection(section))
		if err != nil {
			return taken, fmt.Errorf("%w; the mail stays in the mailbox", err)
		}
		if o.setAside() {
			err = b.aside(c, size.UID)
		} else {
			err = mark(c, size.UID)
		}
		if err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}

func mark(c *imapclient.Client, uid imap.UID) error {
	return c.Store(imap.UIDSetNum(uid), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{handled}}, nil).Close()
}

// aside moves a mail to the folder for the unknown. A server without MOVE gets
// a copy there instead: the way around it would be to delete.
func (b *imapBox) aside(c *imapclient.Client, uid imap.UID) error {
	if err := mark(c, uid); err != nil {
		return err
	}
	transfer := func() (err error) {
		if c.Caps().Has(imap.CapMove) || c.Caps().Has(imap.CapIMAP4rev2) {
			_, err = c.Move(imap.UIDSetNum(uid), unknownFolder).Wait()
		} else {
			_, err = c.Copy(imap.UIDSetNum(uid), unknownFolder).Wait()
		}
		return err
	}
	if transfer() == nil {
		return nil
	}
	if err := c.Create(unknownFolder, nil).Wait(); err != nil {
		return fmt.Errorf("folder %s: %w", unknownFolder, err)
	}
	return transfer()
}
