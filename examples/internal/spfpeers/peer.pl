# Evaluates cases, a JSON object a line, with Mail::SPF and writes its results.
use strict;
use warnings;
use JSON::PP;
use Mail::SPF;
use Net::DNS;

package Table;
sub new { bless { answers => {}, failed => '' }, shift }
sub errorstring { $_[0]{failed} }

sub load {
    my ($self, $records) = @_;
    $self->{answers} = {};
    for my $r (@$records) {
        push @{ $self->{answers}{ lc "$r->{name} $r->{type}" } }, $r->{broken} || $r->{values};
        my $name = lc $r->{name};
        do { $self->{answers}{$name} = 1 } while $name =~ s/^[^.]*\.//;
    }
}

sub send {
    my ($self, $name, $type) = @_;
    $self->{failed} = '';
    my $answers = $self->{answers};
    my $packet  = Net::DNS::Packet->new('example.org', $type);
    $name = lc $name;
    my $rcode = 'NOERROR';
    for (my $hops = 0; ; $hops++) {
        my $found = $answers->{ "$name " . lc $type };
        my $alias = $answers->{"$name cname"};
        if ($hops > 11 || $found && grep { $_ eq 'servfail' } @$found) { $rcode = 'SERVFAIL'; last }
        if ($found && !ref $found->[0]) { $self->{failed} = 'query timed out'; return undef }
        if ($found) {
            $packet->push(answer => record($name, $type, $_)) for @$found;
            last;
        }
        if (!$alias) { $rcode = 'NXDOMAIN' if !$answers->{$name}; last }
        $packet->push(answer => record($name, 'CNAME', $alias->[0]));
        $name = lc $alias->[0][0];
    }
    $packet->header->rcode($rcode);
    return $packet;
}

sub record {
    my ($name, $type, $values) = @_;
    my %field = (name => $name, type => $type, ttl => 300);
    if    ($type eq 'TXT')   { $field{txtdata} = [ map { my $s = $_; utf8::encode($s); $s } @$values ] }
    elsif ($type eq 'MX')    { @field{qw(preference exchange)} = @$values }
    elsif ($type eq 'PTR')   { $field{ptrdname} = $values->[0] }
    elsif ($type eq 'CNAME') { $field{cname} = $values->[0] }
    else                     { $field{address} = $values->[0] }
    return Net::DNS::RR->new(%field);
}

package main;
binmode STDOUT;
my $table  = Table->new;
my $server = Mail::SPF::Server->new(dns_resolver => $table, hostname => 'unknown');
my $json   = JSON::PP->new->utf8;
my $allow  = JSON::PP->new->utf8->allow_blessed->convert_blessed;
while (my $line = <STDIN>) {
    my $case = $json->decode($line);
    $table->load($case->{records});
    my ($result, $why) = ('crash', '');
    eval {
        my $from    = length $case->{from} ? $case->{from} : "postmaster\@$case->{helo}";
        my $request = Mail::SPF::Request->new(
            versions => [1], scope => 'mfrom', identity => $from,
            helo_identity => $case->{helo}, ip_address => $case->{ip});
        my $r = $server->process($request);
        ($result, $why) = ($r->code, $r->text);
        1;
    } or $why = "$@";
    print $allow->encode({ result => "$result", why => "$why" }), "\n";
}
