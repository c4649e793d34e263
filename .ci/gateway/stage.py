"""Postfix and Exim beside examples/gateway; called by proof-gateway.

	client -> MTA (Postfix :25, Exim :26) -> gateway :2525 -> next hop :2626

The next hop refuses by local part, so the MTA writes a report. Reports to
example.org go through the SMTP door; reports to example.com through Postfix,
whose milter is the gateway, also for the reports that it writes itself.
"""

import email
import email.policy
import glob
import json
import os
import smtplib
import socket
import socketserver
import subprocess
import sys
import threading
import time

REFUSALS = {
    "gone": "550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown",
    "full": "552 5.2.2 The mailbox is full",
    "plain": "550 no such user here",
    "later": "451 4.7.1 Greylisted, please try again later",
}
# What the gateway must make of each: action and condition.
WANT = {
    "gone": ("failed", "recipient-not-found"),
    "full": ("failed", "mailbox-full"),
    "plain": ("failed", "recipient-not-found"),
    "later": ("delayed", "greylisted"),
    "spam": ("failed", "spam-content"),
}


class NextHop(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 hop.example.net ESMTP")
        sender, rcpts = "", []
        for line in iter(self.rfile.readline, b""):
            line = line.decode("utf-8", "replace").strip()
            verb = line.upper()
            if verb.startswith("EHLO"):
                self.say("250-hop.example.net\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES")
            elif verb.startswith("MAIL"):
                sender, rcpts = line.split("<", 1)[1].split(">")[0], []
                self.say("250 2.1.0 Ok")
            elif verb.startswith("RCPT"):
                address = line.split("<", 1)[1].split(">")[0]
                local, domain = address.rsplit("@", 1)
                if domain in ("example.net", "reports.example") and local in REFUSALS:
                    self.say(REFUSALS[local])
                else:
                    rcpts.append(address)
                    self.say("250 2.1.5 Ok")
            elif verb.startswith("DATA"):
                self.say("354 go on")
                data = b""
                for body in iter(self.rfile.readline, b".\r\n"):
                    data += body[1:] if body.startswith(b"..") else body
                if rcpts[0].startswith("spam@"):
                    self.say("554 5.7.1 Message content rejected as spam")
                    continue
                with lock:
                    kept.append((sender, rcpts, data))
                self.say("250 2.0.0 Ok: queued")
            elif verb.startswith("QUIT"):
                self.say("221 2.0.0 Bye")
                return
            else:
                self.say("250 2.0.0 Ok")

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def start_postfix():
    write("/etc/postfix/main.cf", """compatibility_level = 3.6
myhostname = postfix.example.org
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_host_lookup = native
smtp_dns_support_level = disabled
maillog_file = /var/log/postfix.log
alias_maps =
alias_database =
local_recipient_maps =
smtpd_milters = inet:127.0.0.1:8890
non_smtpd_milters = inet:127.0.0.1:8890
internal_mail_filter_classes = bounce
relayhost = [127.0.0.1]:2525
transport_maps = inline:{ {example.com = smtp:[127.0.0.1]:2626}, {reports.example = smtp:[127.0.0.1]:2527} }
queue_run_delay = 3s
minimal_backoff_time = 3s
maximal_backoff_time = 3s
delay_warning_time = 4s
""")
    subprocess.run(["postfix", "start"], check=True, stderr=subprocess.DEVNULL)


def start_exim():
    write("/etc/exim4/exim4.conf", r"""primary_hostname = exim.example.org
hostlist relay_from_hosts = 127.0.0.1
acl_smtp_rcpt = accept_all
acl_smtp_data = accept_all
local_interfaces = 127.0.0.1
daemon_smtp_ports = 26
tls_advertise_hosts =
delay_warning = 4s
host_lookup =
disable_ipv6 = true
keep_environment =
begin acl
accept_all:
  accept
begin routers
through_milter:
  driver = manualroute
  domains = example.com
  transport = postfix
  route_list = * 127.0.0.1
  self = send
all:
  driver = manualroute
  transport = door
  route_list = * 127.0.0.1
  self = send
begin transports
postfix:
  driver = smtp
  port = 25
  allow_localhost
door:
  driver = smtp
  port = 2525
  allow_localhost
begin retry
* * F,60s,3s
begin rewrite
""")
    os.makedirs("/var/spool/exim4", exist_ok=True)
    os.makedirs("/var/log/exim4", exist_ok=True)
    subprocess.run("chown -R Debian-exim /var/spool/exim4 /var/log/exim4", shell=True, check=True)
    # Exim stays in the foreground when its parent has the id 1, as here.
    subprocess.Popen(["exim4", "-bdf", "-qff3s"])


def wait_for(port):
    for _ in range(60):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.5)
    sys.exit("nothing listens on port %d" % port)


def submit(port, sender, rcpt, case):
    text = ("From: <%s>\r\nTo: <%s>\r\nSubject: case %s\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n"
            "Message-ID: <%s@example.org>\r\nMIME-Version: 1.0\r\n\r\nHello.\r\n.\r\n..dots\r\n" % (sender, rcpt, case, case))
    client = smtplib.SMTP("127.0.0.1", port, local_hostname="client.example.org", timeout=20)
    client.sendmail(sender, [rcpt], text.encode())
    client.quit()


def find(to):
    with lock:
        return [data for _, rcpts, data in kept if to in rcpts]


def check(ok, *what):
    print("ok  " if ok else "FAIL", *what, flush=True)
    if not ok:
        failures.append(what)


def main():
    subprocess.run("ip link set lo up", shell=True, check=True)
    threading.Thread(target=Server(("127.0.0.1", 2626), NextHop).serve_forever, daemon=True).start()
    subprocess.Popen(["/gateway", "-listen", "127.0.0.1:2525", "-next", "127.0.0.1:2626", "-milter", "127.0.0.1:8890", "-hostname", "gw.example.org",
                      "-inside", "127.0.0.0/8", "-own", "example.org,example.com", "-events", "/events.ndjson", "-sent", "/sent", "-quiet"])
    wait_for(2525)
    start_postfix()
    start_exim()
    wait_for(25)
    wait_for(26)
    cases = []
    for mta, port in (("postfix", 25), ("exim", 26)):
        for door, domain in (("smtp", "example.org"), ("milter", "example.com")):
            for case in WANT:
                sender = "%s-%s-%s@%s" % (mta, door, case, domain)
                submit(port, sender, case + "@example.net", sender)
                cases.append((mta, door, case, sender))
            good = "good-%s-%s@%s" % (mta, door, domain)
            submit(port, "a@example.org", good, good)
    deadline = time.time() + 60
    while time.time() < deadline and not all(find(sender) for _, _, _, sender in cases):
        time.sleep(1)
    for mta, door, case, sender in cases:
        reports = find(sender)
        if not reports:
            check(False, mta, door, case, "no report came")
            continue
        head = email.message_from_bytes(reports[0], policy=email.policy.default)
        got = tuple(str(head.get("X-Mailfault-" + name)) for name in ("Action", "Condition"))
        check(got == WANT[case], "%-8s %-7s %-6s" % (mta, door, case), *got, "owner:", head.get("X-Mailfault-Owner"), "origin:", head.get("X-Mailfault-Origin"))
        # The gateway has the message id of what Postfix's milter saw, and of what
        # came as far as its header.
        seen = mta == "postfix" or case == "spam"
        check(head.get("X-Mailfault-Origin") == ("ours" if seen else "cannot-tell"), mta, door, case, "is known to be about our mail" if seen else "is not called backscatter")
        check(reports[0].count(b"X-Mailfault-Condition") == 1, mta, door, case, "is labelled once")
        body = reports[0].replace(b"\r\n", b"").replace(b"\n", b"").replace(b" ", b"")
        check(b"Explained:" in body, mta, door, case, "carries the plain line of the refusal")
    for mta in ("postfix", "exim"):
        for door, domain in (("smtp", "example.org"), ("milter", "example.com")):
            mails = find("good-%s-%s@%s" % (mta, door, domain))
            check(len(mails) == 1 and b"X-Mailfault" not in mails[0] and mails[0].endswith(b"\r\n\r\nHello.\r\n.\r\n..dots\r\n"), mta, door, "ordinary mail passes once, as it came")
    with open("/events.ndjson") as f:
        events = [json.loads(line) for line in f]
    told = {(to, r["action"], r["diagnosis"]["condition"]) for e in events for to in e["gateway"]["rcpt_to"] for r in e["recipients"]}
    for mta, door, case, sender in cases:
        check((sender,) + WANT[case] in told, mta, door, case, "is told as JSON")
    dsns()
    breaks()
    authentication()
    subprocess.run(["postfix", "stop"], stderr=subprocess.DEVNULL)
    print("%d failures" % len(failures))
    if failures:
        for name in ("/var/log/postfix.log", "/var/log/exim4/mainlog"):
            if os.path.exists(name):
                print(name)
                subprocess.run(["tail", "-20", name])
    sys.exit(bool(failures))


def dsns():
    """Reports that the gateway writes itself: Postfix's mail is refused behind it."""
    subprocess.Popen(["/gateway", "-reports", "-listen", "127.0.0.1:2527", "-next", "127.0.0.1:2626", "-hostname", "gw.example.org", "-inside", "127.0.0.0/8", "-quiet"])
    wait_for(2527)
    for case, (_, condition) in WANT.items():
        if case == "later":
            continue
        sender = "reports-%s@example.org" % case
        submit(25, sender, case + "@reports.example", sender)
        for _ in range(50):
            if find(sender):
                break
            time.sleep(0.2)
        reports = find(sender)
        check(len(reports) == 1, "gateway", case, "writes one report")
        if not reports:
            continue
        m = email.message_from_bytes(reports[0], policy=email.policy.default)
        parts = list(m.iter_parts())
        groups = list(parts[1].get_payload())
        check(m.get_content_type() == "multipart/report" and [p.get_content_type() for p in parts] == ["text/plain", "message/delivery-status", "text/rfc822-headers"]
              and groups[1]["Action"] == "failed" and groups[1]["Final-Recipient"].endswith(case + "@reports.example") and groups[0]["Reporting-MTA"] == "dns; gw.example.org"
              and not any(p.defects for p in m.walk()), "gateway", case, "Python's email package reads it:", groups[1]["Status"], "|", groups[1]["Diagnostic-Code"])
        from flufl.bounce import all_failures
        check(all_failures(email.message_from_bytes(reports[0])) == (set(), {(case + "@reports.example").encode()}), "gateway", case, "flufl.bounce finds the failed address")
        said = subprocess.run(["/explain", "-json", "-"], input=reports[0], capture_output=True).stdout
        got = json.loads(said)["recipients"][0]["diagnosis"]
        check(got["condition"] == condition and got["summary"] in parts[0].get_content(), "gateway", case, "explains", condition, "in its text")


ZONE = {
    "pass.example": "v=spf1 ip4:127.0.0.0/8 -all",
    "fail.example": "v=spf1 -all",
    "soft.example": "v=spf1 ~all",
    "neutral.example": "v=spf1 ?all",
    "included.example": "v=spf1 include:pass.example -all",
    "redirected.example": "v=spf1 redirect=fail.example",
    "broken.example": "v=spf1 ip4:nonsense -all",
    "loop.example": "v=spf1 include:loop.example -all",
    "client.example.org": "v=spf1 ip4:127.0.0.1 -all",
}


def authentication():
    """What the gateway writes down of mail from outside, beside pyspf, read by authres."""
    import authres
    import spf
    spf.DNSLookup = lambda name, kind, *rest: [((name, kind), (ZONE[name.lower()].encode(),))] if kind == "TXT" and name.lower() in ZONE else []
    write("/zone", "".join('%s. TXT "%s"\n' % pair for pair in ZONE.items()))
    subprocess.Popen(["/gateway", "-listen", "127.0.0.1:2528", "-next", "127.0.0.1:2626", "-hostname", "gw.example.org", "-dns", "/zone", "-quiet"])
    wait_for(2528)
    for n, sender in enumerate(["a@" + domain for domain in ZONE] + ["a@none.example", "", '"x; spf=pass"@fail.example']):
        rcpt = "auth-%d@example.org" % n
        text = "From: <a@example.org>\r\nAuthentication-Results: gw.example.org; spf=pass\r\n\r\nHello.\r\n"
        client = smtplib.SMTP("127.0.0.1", 2528, local_hostname="client.example.org", timeout=20)
        client.sendmail(sender, [rcpt], text.encode())
        client.quit()
        head = email.message_from_bytes(find(rcpt)[0])
        fields = head.get_all("Authentication-Results")
        want = spf.check2("127.0.0.1", sender or "postmaster@client.example.org", "client.example.org")[0]
        got = authres.AuthenticationResultsHeader.parse("Authentication-Results: " + " ".join(fields[0].split()))
        results = [r.result for r in got.results if r.method == "spf"]
        check(len(fields) == 1 and got.authserv_id == "gw.example.org" and results == [want] and head["Received-SPF"].split()[0] == want,
              "authentication of <%s>: %s, as pyspf says and authres reads" % (sender, want), *results)


class Cutter(socketserver.BaseRequestHandler):
    """In front of Postfix: keeps its answers to the dots of some mails to itself and hangs up."""

    cuts, dots = 3, 0

    def handle(self):
        mta = socket.create_connection(("127.0.0.1", 25))
        seen, self.ended = b"", False
        threading.Thread(target=self.answers, args=(mta,), daemon=True).start()
        for data in iter(lambda: self.receive(self.request), b""):
            seen = (seen + data)[-5:]
            if seen == b"\r\n.\r\n":
                self.ended = Cutter.dots < 2 * Cutter.cuts and Cutter.dots % 2 == 0  # not again when it is sent again
                Cutter.dots += 1
            mta.sendall(data)
        mta.close()

    def answers(self, mta):
        for data in iter(lambda: self.receive(mta), b""):
            if self.ended:
                break
            self.request.sendall(data)
        try:
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the gateway was first

    def receive(self, s):
        try:
            return s.recv(1 << 16)
        except OSError:
            return b""


def break_off(rcpt, last):
    """Begins a mail, sends this much of it and no more, and waits for no answer."""
    s = socket.create_connection(("127.0.0.1", 2529), 20)
    f = s.makefile("rwb")
    f.readline()
    for line in ("HELO client.example.org", "MAIL FROM:<a@example.org>", "RCPT TO:<%s>" % rcpt):
        f.write(line.encode() + b"\r\n")
        f.flush()
        f.readline()
    f.write(last)
    f.flush()
    s.shutdown(socket.SHUT_WR)
    f.read()
    s.close()


def breaks():
    """Connections that break, with Postfix as the next hop: what it has is counted."""
    threading.Thread(target=Server(("127.0.0.1", 2530), Cutter).serve_forever, daemon=True).start()
    subprocess.Popen(["/gateway", "-listen", "127.0.0.1:2529", "-next", "127.0.0.1:2530", "-hostname", "gw.example.org", "-inside", "127.0.0.0/8", "-quiet"], stderr=subprocess.DEVNULL)
    wait_for(2529)
    refused = 0
    for n in range(6):
        for attempt in range(3):
            try:
                submit(2529, "a@example.org", "unsaid-%d@example.org" % n, "unsaid-%d" % n)
                break
            except smtplib.SMTPDataError as e:
                refused += e.smtp_code == 451 and e.smtp_error.startswith(b"4.4.1")
    half = b"Subject: half\r\n\r\nhalf\r\n"
    for n in range(5):
        break_off("data-%d@example.org" % n, b"DATA\r\n" + half)
        break_off("chunk-%d@example.org" % n, b"BDAT 500\r\n" + half)
        break_off("chunks-%d@example.org" % n, b"BDAT %d\r\n%s" % (len(half), half))
        break_off("nowait-%d@example.org" % n, b"DATA\r\n" + half + b".\r\n")
        break_off("nowaitlast-%d@example.org" % n, b"BDAT %d LAST\r\n%s" % (len(half), half))
    whole = ["%s-%d@example.org" % (kind, n) for kind in ("nowait", "nowaitlast") for n in range(5)] + ["unsaid-%d@example.org" % n for n in range(6)]
    deadline = time.time() + 30
    while time.time() < deadline and not (all(find(to) for to in whole) and sum(len(find("unsaid-%d@example.org" % n)) for n in range(6)) >= 6 + Cutter.cuts):
        time.sleep(0.5)
    time.sleep(1)
    for kind, want in (("data", 0), ("chunk", 0), ("chunks", 0), ("nowait", 5), ("nowaitlast", 5)):
        counts = [len(find("%s-%d@example.org" % (kind, n))) for n in range(5)]
        check(sum(counts) == want and max(counts) <= 1, "client that breaks off,", kind + ":", *counts)
    counts = [len(find("unsaid-%d@example.org" % n)) for n in range(6)]
    check(counts == [2, 2, 2, 1, 1, 1] and refused == Cutter.cuts,
          "next hop that has the mail and does not say so: refused for now %d times, sent again, there:" % refused, *counts)


lock, kept, failures = threading.Lock(), [], []
main()
