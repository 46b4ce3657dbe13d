# reap.pl COMMAND...: runs a command and waits for everything that it starts, also for processes whose parents have ended:
# the kernel counts CPU time only for whoever waits, and a process that nobody adopts takes its time to the first process.
# Writes to descriptor 3: "started", "exited CODE" when the command ends, and after the last process its times for all.
use strict;
use warnings;
use Errno;
use POSIX ();

# prctl(PR_SET_CHILD_SUBREAPER): orphans among the descendants become children of this process.
my %prctl = (x86_64 => 157, aarch64 => 167);
my $number = $prctl{(POSIX::uname())[4]} or die "reap.pl: no known system calls for this machine\n";
syscall($number, 36, 1, 0, 0, 0) == 0 or die "reap.pl: cannot adopt orphans: $!\n";

open(my $report, ">&=", 3) or die "reap.pl: descriptor 3 is not open: $!\n";
$report->autoflush(1);
print $report "started\n";
my $child = fork() // die "reap.pl: cannot fork: $!\n";
if ($child == 0) {
  POSIX::close(3);
  exec { $ARGV[0] } @ARGV or POSIX::_exit(127);
}
$SIG{$_} = do { my $signal = $_; sub { kill $signal => $child } } for qw(INT TERM);
while (1) {
  my $ended = wait;
  next if $ended < 0 && $!{EINTR};
  last if $ended < 0;
  printf $report "exited %d\n", $? & 127 ? 128 + ($? & 127) : $? >> 8 if $ended == $child;
}
printf $report "0m%.3fs 0m%.3fs\n", (times)[2, 3];
