# Writes an aggregate report with Mail::DMARC.
use strict; use warnings;
use Mail::DMARC::Policy;
use Mail::DMARC::Report::Aggregate;
use Mail::DMARC::Report::Aggregate::Record;
my $agg = Mail::DMARC::Report::Aggregate->new;
my $m = $agg->metadata;
$m->org_name('Receiver & Sons'); $m->email('dmarc@receiver.example');
$m->extra_contact_info('https://receiver.example/dmarc'); $m->report_id(4711);
$m->begin(1774915200); $m->end(1775001599);
my $pol = Mail::DMARC::Policy->new('v=DMARC1; p=reject; sp=quarantine; adkim=s; pct=50; rua=mailto:rua@sender.example');
$pol->apply_defaults; $pol->domain('sender.example');
$agg->policy_published($pol);
for my $r (
  ['192.0.2.10', 12, 'none', 'pass', 'pass', 'sender.example', 'sender.example', [{domain=>'sender.example', selector=>'s1', result=>'pass', human_result=>'ok'}], 'pass', undef],
  ['2001:db8::25', 3, 'reject', 'fail', 'fail', 'sender.example', '', [], 'softfail', undef],
  ['198.51.100.7', 1, 'none', 'fail', 'fail', 'news.sender.example', 'list.example', [{domain=>'sender.example', selector=>'s1', result=>'fail'}, {domain=>'list.example', selector=>'l', result=>'pass'}], 'pass', {type=>'mailing_list', comment=>'a <list>'}],
) {
  my ($ip, $n, $disp, $dkim, $spf, $from, $env, $sigs, $spfr, $reason) = @$r;
  my $rec = Mail::DMARC::Report::Aggregate::Record->new;
  $rec->row->source_ip($ip); $rec->row->count($n);
  $rec->row->policy_evaluated({ disposition=>$disp, dkim=>$dkim, spf=>$spf });
  $rec->row->policy_evaluated->reason($reason) if $reason;
  $rec->identifiers(header_from=>$from, envelope_from=>$env);
  $rec->auth_results->dkim($_) for @$sigs;
  $rec->auth_results->spf({ domain=>($env || 'mx.forged.example'), scope=>($env ? 'mfrom' : 'helo'), result=>$spfr });
  $agg->record($rec);
}
print $agg->as_xml;
