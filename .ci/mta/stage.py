"""Runs one mail server in a network of its own, sends it mail that must bounce,
be delayed or be confirmed, and keeps its reports. Called by collect."""

import glob
import os
import smtplib
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time

ME = "mail.example.com"        # the server whose reports are wanted
REMOTE = "192.0.2.25"          # mx.example.net: refuses by local part
SENDERS = "192.0.2.26"         # mx.example.org: takes the reports
SMALL = "192.0.2.27"           # mx.small.example.net: takes 1,000 bytes
A = {"mail.example.com": "127.0.0.1", "localhost": "127.0.0.1", "mx.example.net": REMOTE, "mx.example.org": SENDERS,
     "mx.small.example.net": SMALL, "mx.closed.example.net": "192.0.2.28"}
MX = {"example.net": "mx.example.net", "example.org": "mx.example.org", "small.example.net": "mx.small.example.net",
      "closed.example.net": "mx.closed.example.net", "null.example.net": "", "mail.example.com": "mail.example.com"}

# What the remote server says to a recipient, by local part.
REFUSALS = {
    "gone": "550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown",
    "full": "552 5.2.2 The mailbox is full",
    "blocked": "550-5.7.1 Mail from your network is refused by policy.\r\n550 5.7.1 See https://www.example.net/policy",
    "plain": "550 no such user here",
    "later": "451 4.7.1 Try again later",
}

# case: recipients, options
CASES = {
    "unknown-user": ["gone@example.net"],
    "mailbox-full": ["full@example.net"],
    "policy": ["blocked@example.net"],
    "no-status": ["plain@example.net"],
    "after-data": ["spam@example.net"],
    "no-domain": ["user@nowhere.invalid"],
    "null-mx": ["user@null.example.net"],
    "too-big": ["user@small.example.net"],
    "non-ascii": ["gr\u00e5@example.net"],
    "several": ["gone@example.net", "full@example.net", "good@example.net"],
    "success": ["good@example.net"],
    "local-unknown": ["nobody-here@mail.example.com"],
    "delayed": ["later@example.net"],
    "refused-connection": ["user@closed.example.net"],
}


class DNS(socketserver.BaseRequestHandler):
    def handle(self):
        query, sock = self.request
        at, labels = 12, []
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += 1 + query[at]
        kind, = struct.unpack(">H", query[at + 1:at + 3])
        name, question = ".".join(labels).lower(), query[12:at + 5]
        answers, code = [], 0
        if kind == 1 and name in A:
            answers.append(socket.inet_aton(A[name]))
        elif kind == 15 and name in MX:
            answers.append(struct.pack(">H", 0 if not MX[name] else 10) + wire(MX[name]))
        elif kind == 12 and name.endswith(".in-addr.arpa"):
            ip = ".".join(reversed(name.split(".")[:4]))
            answers += [wire(host) for host, addr in A.items() if addr == ip and host != "localhost"]
        if name not in A and name not in MX and not name.endswith("in-addr.arpa"):
            code = 3
        reply = query[:2] + struct.pack(">HHHHH", 0x8580 | code, 1, len(answers), 0, 0) + question
        for data in answers:
            reply += b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data
        sock.sendto(reply, self.client_address)


def wire(name):
    return b"".join(bytes([len(p)]) + p.encode() for p in name.split(".") if p) + b"\0"


class SMTP(socketserver.StreamRequestHandler):
    """The mail servers of the others."""

    def handle(self):
        me = {REMOTE: "mx.example.net", SENDERS: "mx.example.org", SMALL: "mx.small.example.net"}[self.server.server_address[0]]
        self.say("220 %s ESMTP" % me)
        rcpts = []
        for line in iter(self.rfile.readline, b""):
            line = line.decode("utf-8", "replace").strip()
            verb = line.upper()
            if verb.startswith("EHLO"):
                features = ["PIPELINING", "8BITMIME", "ENHANCEDSTATUSCODES"]
                if me == "mx.example.org":
                    features += ["SMTPUTF8"]
                if me == "mx.small.example.net":
                    features += ["SIZE 1000"]
                self.say("\r\n".join("250-" + f for f in [me] + features[:-1]) + "\r\n250 " + features[-1])
            elif verb.startswith("MAIL"):
                rcpts = []
                self.say("250 2.1.0 Ok")
            elif verb.startswith("RCPT"):
                local = line.split("<", 1)[1].split("@")[0]
                if me == "mx.example.net" and local in REFUSALS:
                    self.say(REFUSALS[local])
                else:
                    rcpts.append(local)
                    self.say("250 2.1.5 Ok")
            elif verb.startswith("DATA"):
                if not rcpts:
                    self.say("503 5.5.1 no recipients")
                    continue
                self.say("354 go on")
                data = b""
                for body in iter(self.rfile.readline, b".\r\n"):
                    data += body[1:] if body.startswith(b"..") else body
                if me == "mx.example.org":
                    keep(rcpts[0], data)
                if "spam" in rcpts:
                    self.say("554 5.7.1 Message content rejected, id=0000")
                else:
                    self.say("250 2.0.0 Ok: queued")
            elif verb.startswith("QUIT"):
                self.say("221 2.0.0 Bye")
                return
            elif verb.startswith(("RSET", "NOOP", "HELO")):
                self.say("250 2.0.0 Ok")
            else:
                self.say("502 5.5.2 no such command")

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


def keep(case, data):
    name = "/reports/%s.eml" % case
    n = 1
    while os.path.exists(name):
        n += 1
        name = "/reports/%s-%d.eml" % (case, n)
    with open(name, "wb") as f:
        f.write(data.replace(b"\r\n", b"\n"))


def run(*args, **kw):
    return subprocess.run(args, **kw)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def message(case, size=0):
    return ("From: Sender <%s@example.org>\r\nTo: Recipient <recipient@example.net>\r\nSubject: case %s\r\n"
            "Date: Thu, 1 Jan 2026 00:00:00 +0000\r\nMessage-ID: <%s@example.org>\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=us-ascii\r\n\r\nHello.\r\n" % (case, case, case) + "padding padding padding\r\n" * (size // 25))


def submit_smtp(case, rcpts):
    options = ["NOTIFY=SUCCESS"] if case == "success" else []
    text = message(case, 4000 if case == "too-big" else 0)
    client = smtplib.SMTP("127.0.0.1", 25, local_hostname="client.example.org", timeout=20)
    client.ehlo()
    mail = ["SMTPUTF8", "BODY=8BITMIME"] if case == "non-ascii" else []
    if case == "non-ascii" and not client.has_extn("smtputf8"):
        print(case, "skipped: no SMTPUTF8")
        return
    if client.has_extn("dsn"):
        mail.append("ENVID=case-" + case)
    if mail and "SMTPUTF8" in mail:
        client.command_encoding = "utf-8"
    client.mail("%s@example.org" % case, mail)
    for rcpt in rcpts:
        extra = list(options)
        if client.has_extn("dsn") and case != "non-ascii":
            extra.append("ORCPT=rfc822;" + rcpt)
        elif not client.has_extn("dsn"):
            extra = []
        code, text_ = client.rcpt(rcpt, extra)
        if code >= 400:
            print(case, rcpt, "refused at submission:", code, text_.decode("utf-8", "replace"))
    code, text_ = client.data(text.encode())
    if code >= 400:
        print(case, "refused at submission:", code, text_.decode("utf-8", "replace"))
    client.quit()


def submit_command(case, rcpts):
    text = message(case, 4000 if case == "too-big" else 0).replace("\r\n", "\n")
    run("/usr/sbin/sendmail", "-f", "%s@example.org" % case, *rcpts, input=text.encode())


def wait_for_smtp():
    for _ in range(60):
        try:
            socket.create_connection(("127.0.0.1", 25), 1).close()
            return
        except OSError:
            time.sleep(0.5)
    sys.exit("the server does not listen")


def postfix():
    write("/etc/postfix/main.cf", """compatibility_level = 3.6
myhostname = mail.example.com
mydestination = mail.example.com, localhost
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtputf8_enable = yes
maillog_file = /var/log/postfix.log
alias_maps =
alias_database =
local_recipient_maps =
queue_run_delay = 3s
minimal_backoff_time = 3s
maximal_backoff_time = 3s
delay_warning_time = 4s
maximal_queue_lifetime = 25s
bounce_queue_lifetime = 60s
smtp_connect_timeout = 3s
message_size_limit = 0
""")
    run("postfix", "start")
    return submit_smtp


def exim():
    write("/etc/exim4/exim4.conf", r"""primary_hostname = mail.example.com
domainlist local_domains = mail.example.com
hostlist relay_from_hosts = 127.0.0.1
acl_smtp_rcpt = accept_all
acl_smtp_data = accept_all
local_interfaces = 127.0.0.1
daemon_smtp_ports = 25
smtputf8_advertise_hosts = *
dsn_advertise_hosts = *
tls_advertise_hosts =
delay_warning = 4s
host_lookup =
never_users =
queue_only = false
disable_ipv6 = true
dns_ipv4_lookup = *
keep_environment =
begin acl
accept_all:
  accept
begin routers
dnslookup:
  driver = dnslookup
  domains = ! +local_domains
  transport = remote_smtp
  no_more
localuser:
  driver = accept
  check_local_user
  transport = drop
  cannot_route_message = Unknown user
begin transports
remote_smtp:
  driver = smtp
  connect_timeout = 3s
  hosts_try_prdr =
drop:
  driver = appendfile
  file = /dev/null
begin retry
* * F,20s,3s
begin rewrite
""")
    # Exim stays in the foreground when its parent has the id 1, as here.
    subprocess.Popen(["exim4", "-bdf", "-q3s"])
    return submit_smtp


def opensmtpd():
    write("/etc/smtpd.conf", """queue ttl 25s
bounce warn-interval 4s
listen on 127.0.0.1 port 25 hostname mail.example.com
action "relay" relay helo mail.example.com
action "local" mbox
match from any for local action "local"
match from any for domain "mail.example.com" action "local"
match from any for any action "relay"
""")
    write("/etc/mailname", "mail.example.com\n")
    write("/etc/mail/aliases", "root: nobody\n")
    run("smtpd", "-f", "/etc/smtpd.conf")
    return submit_smtp


def sendmail():
    write("/etc/mail/test.mc", r"""divert(-1)
include(`/usr/share/sendmail/cf/m4/cf.m4')
divert(0)
OSTYPE(`debian')dnl
DOMAIN(`debian-mta')dnl
define(`confDOMAIN_NAME', `mail.example.com')dnl
FEATURE(`accept_unresolvable_domains')dnl
FEATURE(`promiscuous_relay')dnl
DAEMON_OPTIONS(`Family=inet, Name=MTA, Port=25, Addr=127.0.0.1')dnl
define(`confTO_QUEUEWARN', `4s')dnl
define(`confTO_QUEUERETURN', `25s')dnl
define(`confTO_CONNECT', `3s')dnl
define(`confTO_HOSTSTATUS', `1s')dnl
define(`confMIN_QUEUE_AGE', `0')dnl
define(`confDONT_PROBE_INTERFACES', `True')dnl
MAILER(local)dnl
MAILER(smtp)dnl
""")
    with open("/etc/mail/test.cf", "wb") as f:
        run("m4", "/etc/mail/test.mc", stdout=f)
    write("/etc/mail/local-host-names", "mail.example.com\n")
    write("/etc/mail/aliases", "root: /dev/null\n")
    os.makedirs("/var/spool/mqueue", exist_ok=True)
    run("/usr/sbin/sendmail-mta" if os.path.exists("/usr/sbin/sendmail-mta") else "/usr/libexec/sendmail/sendmail", "-C/etc/mail/test.cf", "-bi")
    run("/usr/sbin/sendmail-mta" if os.path.exists("/usr/sbin/sendmail-mta") else "/usr/libexec/sendmail/sendmail", "-C/etc/mail/test.cf", "-bd", "-q3s")
    return submit_smtp


def dma():
    write("/etc/dma/dma.conf", "MAILNAME mail.example.com\n")
    write("/etc/mailname", "mail.example.com\n")
    return submit_command


def serve(kind, *address):
    kind.allow_reuse_address = kind.daemon_threads = True
    server = kind(address[0], address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main():
    name = sys.argv[1]
    run("mount", "-t", "proc", "proc", "/proc")
    run("ip", "link", "set", "lo", "up")
    for ip in (REMOTE, SENDERS, SMALL):
        run("ip", "address", "add", ip + "/32", "dev", "lo")
    run("ip", "route", "add", "unreachable", "192.0.2.28/32")
    socket.sethostname(ME)
    write("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    write("/etc/hosts", "127.0.0.1 mail.example.com localhost\n")
    write("/etc/hostname", ME + "\n")
    serve(socketserver.ThreadingUDPServer, ("127.0.0.1", 53), DNS)
    for ip in (REMOTE, SENDERS, SMALL):
        serve(socketserver.ThreadingTCPServer, (ip, 25), SMTP)
    submit = globals()[name]()
    if submit is submit_smtp:
        wait_for_smtp()
    for case, rcpts in CASES.items():
        try:
            submit(case, rcpts)
        except Exception as e:
            print(case, "not submitted:", e)
    time.sleep(int(os.environ.get("WAIT", "60")))
    for case in ("delayed", "refused-connection", "null-mx"):
        later = sorted(glob.glob("/reports/%s-*.eml" % case))
        for path in later[:-1]:
            os.remove(path)  # the same warning again
        if later:
            os.rename(later[-1], "/reports/%s-expired.eml" % case)
    for log in sys.argv[2:]:
        print(open(log).read())
    print(sorted(os.listdir("/reports")))


main()
