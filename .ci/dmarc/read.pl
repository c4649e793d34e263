# Reads a report with Mail::DMARC and prints what it found, a fact a line.
use strict; use warnings; no warnings 'redefine';
use Mail::DMARC::Report::Receive;
my $r = Mail::DMARC::Report::Receive->new;
my $body = do { local $/; <STDIN> };
require Mail::DMARC::Report;
*Mail::DMARC::Report::save_aggregate = sub { 1 };
{ open my $null, '>', '/dev/null'; my $old = select $null; $r->handle_body($body); select $old; }
my $a = $r->report->aggregate; my $m = $a->metadata;
print join("\t", 'report', $m->org_name, $m->email, $m->uuid // '', $m->begin, $m->end, $a->policy_published->domain, $a->policy_published->p), "\n";
for my $rec (@{ $a->record }) {
  my $p = $rec->row->policy_evaluated;
  print join("\t", 'record', $rec->row->source_ip, $rec->row->count, $p->disposition, $p->dkim // '', $p->spf // '', $rec->identifiers->header_from,
    map({ "dkim:$_->{domain}:$_->{result}" } @{ $rec->auth_results->dkim }), map({ "spf:$_->{domain}:$_->{result}" } @{ $rec->auth_results->spf })), "\n";
}
