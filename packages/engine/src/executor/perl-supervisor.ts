import { accessSync, constants } from "node:fs";

/** The system call numbers that differ between processors, in the order of the program's arguments. */
const SYSTEM_CALLS: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [272, 308, 157, 126, 98, 302, 112, 165, 231, 31, 66, 71, 257, 1, 292, 13, 59],
  arm64: [97, 268, 167, 91, 165, 261, 157, 40, 94, 195, 191, 187, 56, 64, 24, 134, 221],
};

/** What a Perl supervisor needs to call the kernel, as its last arguments; undefined if the numbers are unknown. */
export function systemCallNumbers(): readonly string[] | undefined {
  return process.platform === "linux" ? SYSTEM_CALLS[process.arch]?.map(String) : undefined;
}

/**
 * A Perl program that starts jobs. It speaks the protocol of supervisor-client.ts and reads launch files of
 * NUL-terminated fields (launch-script.ts). For each slot, the supervisor forks a *wrapper*, which runs one job after the
 * other: it claims the attempt, forks the program into a process group of its own, and records its exit. The server
 * writes later orders directly to the wrapper. So a job costs one fork, and a killed wrapper affects one job.
 * Wrappers outlive the supervisor and the server, until their job has ended.
 *
 * After SIGTERM, a wrapper stays to record the exit of its job and then ends; if SIGTERM comes before the program has
 * started, it starts nothing. The parent of a job's process group must live in the same session, or else the kernel sends
 * SIGHUP to the group when one of its processes is stopped (POSIX, "orphaned process group").
 *
 * `placed` defines, in the wrapper:
 * - `open_place(key)`: called once. Returns a reference to whatever the others need.
 * - `run_program(place, job, started, terminated)`: runs the program. Calls `started` with its process id. Returns its
 *   exit code and what else the job used: microseconds of user and system time, bytes read and written.
 * - `is_fit(place)`: whether another job can follow, because no process of the last one is left. Also asked after a child
 *   of the wrapper has ended.
 */
export function perlSupervisor(placed: string): string {
  return `${BASE}${placed}${LOOP}`;
}

const BASE = String.raw`
use strict;
$^F = 2;
my ($account, $kept, @numbers) = @ARGV;
my %number;
@number{qw(unshare setns prctl capset getrusage prlimit64 setsid mount exit_group shmctl semctl msgctl openat
  write dup3 rt_sigaction execve)} = @numbers;
@number{qw(open_tree move_mount close_range mount_setattr)} = (428, 429, 436, 442);
sub NEW_FILE() { 0301 } sub END_OF_FILE() { 06101 } sub EINTR() { 4 } sub UNFIT() { 3 }
sub HERE() { -100 } sub ENOENT() { 2 } sub WRITE_ONLY_UNTIL_EXEC() { 02000001 }

sub call {
  my ($name, @args) = @_;
  my $result = syscall(0 + $number{$name}, @args);
  die "$name: $!\n" if $result < 0;
  return $result;
}
sub quit { syscall(0 + $number{exit_group}, 0 + $_[0]) }
sub text_of { open my $file, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$file> }
sub set { open my $file, '>', $_[0] or die "$_[0]: $!\n"; defined syswrite $file, $_[1] or die "$_[0]: $!\n" }
sub announce { syswrite STDOUT, "@_\n" }

# What all children used that were waited for: microseconds of user and system time, bytes read and written.
my %bytes_used;
sub used {
  my $usage = "\0" x 144;
  syscall(0 + $number{getrusage}, -1, $usage);
  my @times = unpack 'q4', $usage;
  my $file = $bytes_used{$$} ||= do { open my $opened, '<', '/proc/self/io'; $opened };
  sysseek $file, 0, 0;
  sysread $file, my $io, 4096;
  my ($read, $written) = ($io || '') =~ /^rchar: (\d+)\nwchar: (\d+)/;
  return ($times[0] * 1e6 + $times[1], $times[2] * 1e6 + $times[3], $read || 0, $written || 0);
}

# Nothing that the server left open reaches a job.
$0 = 'weft-jobs';
eval { call('close_range', 3, 0xffffffff, 0) };
my %wrappers;

sub wrap_jobs {
  my ($orders, $key) = @_;
  %wrappers = ();
  my $is_terminated = 0;
  # exec resets signals that the wrapper handles, but not those that it ignores.
  $SIG{$_} = sub { $is_terminated = 1 } for qw(TERM INT HUP);
  $SIG{$_} = sub { } for qw(CHLD PIPE);
  $SIG{FPE} = 'DEFAULT';
  open STDIN, '<', '/dev/null';
  my $boot = eval { text_of('/proc/sys/kernel/random/boot_id') } || "\n";
  my $stat = text_of('/proc/self/stat');
  my ($pid) = $stat =~ /^(\d+)/;
  my $claim = "pid $pid\nboot " . $boot . "stat $stat" . "group 0\n";
  my $place = open_place($key);
  my $lines = '';
  while (!$is_terminated && is_fit($place)) {
    if ($lines =~ s/^(\d+) (.*)\n//) {
      my ($number, $folder) = ($1, $2);
      my ($how, $is_fine) = run_job($number, $folder, $claim, $place, \$is_terminated);
      my $is_last = !$is_fine || $is_terminated || !is_fit($place);
      announce($how, $number, $is_last ? 'last' : $how eq 'ended' ? 'clean' : ());
      quit(0) if $is_last;
    } else {
      my $got = sysread $orders, $lines, 65536, length $lines;
      quit(0) if defined $got ? !$got : $! != EINTR;
    }
  }
  quit($is_terminated ? 0 : UNFIT);
}

sub run_job {
  my ($number, $folder, $claim, $place, $terminated) = @_;
  my @before = used();
  my ($record, $launch) = claimed($folder) or return ('taken', 1);
  my $length = syswrite $record, $claim;
  return 'ended' unless $length == length $claim;
  my %job = read_launch($launch);
  my $started = sub { syswrite $record, "group $_[0]\n"; announce("started $number $_[0]") };
  my ($code, @extra) = $$terminated ? 143 : !get_ready(\%job) ? 126 : run_program($place, \%job, $started, $terminated);
  my @used = used();
  $used[$_] += $extra[$_] - $before[$_] for 0 .. 3;
  my $times = join ' ', map { sprintf '%dm%.3fs', int($_ / 6e7), ($_ - 6e7 * int($_ / 6e7)) / 1e6 } @used[0, 1];
  my $end = "rchar: $used[2]\nwchar: $used[3]\n0m0.000s 0m0.000s\n$times\nexit $code\n";
  # Without a sandbox, a job can write to its record or replace it; the last lines count.
  sysopen my $last, "$folder/record", END_OF_FILE or return 'ended';
  $length = syswrite $last, $end;
  return ('ended', $length == length $end);
}

# The record, and the text of the launch file; nothing if another wrapper or a server has claimed the folder.
sub claimed {
  my ($folder) = @_;
  sysopen my $record, "$folder/record", NEW_FILE or return;
  my $launch = text_of("$folder/launch");
  unlink "$folder/launch";
  return ($record, $launch);
}

# Repeated keys are lists.
sub read_launch {
  my %job;
  for (split /\0/, $_[0]) { my ($key, $value) = split /=/, $_, 2; push @{$job{$key}}, $value }
  return %job;
}

sub create {
  my ($path) = @_;
  sysopen my $file, $path, NEW_FILE or die "$path: $!\n";
  return $file;
}

# What syscall passes by address must be in variables.
my ($usual_effect, $itself, $oom_score, $raised) = ("\0" x 32, '0', '/proc/self/oom_score_adj', '500');

# Does in advance what the fork would otherwise do: the kernel copies each page that the fork or its parent writes to
# before the program replaces the fork.
sub get_ready {
  my ($job) = @_;
  my @argv = @{$job->{arg}};
  my @env = @{$job->{env} ||= []};
  my ($search) = map { /^PATH=(.*)/s } @env;
  my @paths = $argv[0] =~ m{/} ? $argv[0] : map { ($_ eq '' ? '.' : $_) . "/$argv[0]" } split /:/, $search // '', -1;
  @$job{qw(argv env paths)} = (\@argv, \@env, \@paths);
  @$job{qw(packed_argv packed_env)} = map { pack 'p*', @$_, undef } \@argv, \@env;
  my %kinds = (stamp => 10, files => 7);
  $job->{limits} = [map { [$kinds{$_}, pack 'Q2', ($job->{$_}[0]) x 2] } grep { $job->{$_} } sort keys %kinds];
  my $err;
  eval {
    $err = create($job->{err}[0]);
    my $out = $job->{out}[0] eq $job->{err}[0] ? $err : create($job->{out}[0]);
    @$job{qw(out_file err_file)} = ($out, $err);
    1;
  } or do { syswrite $err, $@ if $err; return };
  return 1;
}

# Reports what kept the program from being forked.
sub fail {
  my ($job, $code, $why) = @_;
  syswrite $job->{err_file}, $why;
  return $code;
}

# In the fork that becomes the program.
sub begin {
  my ($job, $terminated) = @_;
  # exec would reset them too, but a signal that arrives before exec would be lost.
  syscall(0 + $number{rt_sigaction}, $_, $usual_effect, 0, 8) for 15, 2, 1;
  quit(143) if $$terminated;
  pass($job->{out_file}, 1);
  pass($job->{err_file}, 2);
  return if $job->{in}[0] eq '/dev/null';
  open STDIN, '<', $job->{in}[0] or do { print STDERR "$job->{in}[0]: $!\n"; quit(126) };
}
sub pass { syscall(0 + $number{dup3}, fileno $_[0], $_[1], 0) }
sub mark {
  my ($job) = @_;
  syscall(0 + $number{prlimit64}, 0, @$_, 0) for @{$job->{limits}};
  set_at_once($job->{cgroup}[0], $itself) if $job->{cgroup};
  # The kernel ends a job for lack of memory before it ends the server.
  set_at_once($oom_score, $raised);
}
sub set_at_once {
  my $fd = syscall(0 + $number{openat}, HERE, $_[0], WRITE_ONLY_UNTIL_EXEC);
  syscall(0 + $number{write}, $fd, $_[1], length $_[1]);
}
# A lower limit stays, as an ordinary account cannot raise it.
sub limit { my ($kind, $most) = @_; eval { call('prlimit64', 0, $kind, pack('Q2', $most, $most), 0) } }
sub become {
  my ($job) = @_;
  for (@{$job->{paths}}) {
    syscall(0 + $number{execve}, $_, @$job{qw(packed_argv packed_env)});
    last if $! != ENOENT;
  }
  # The program may be a script without an interpreter, which a shell can run. Otherwise, this reports what is wrong.
  my @argv = @{$job->{argv}};
  %ENV = map { split /=/, $_, 2 } @{$job->{env}};
  exec { $argv[0] } @argv;
  # The kernel also denies folders of PATH that this account may not search; like a shell, this then finds no program.
  my ($failed, $isMissing) = ($!, $! == ENOENT || ($argv[0] !~ m{/} && !grep { -e && !-d _ } @{$job->{paths}}));
  print STDERR "$argv[0]: ", ($isMissing ? 'not found' : $failed), "\n";
  quit($isMissing ? 127 : 126);
}
sub code_of { return $_[0] & 127 ? 128 + ($_[0] & 127) : $_[0] >> 8 }
`;

const LOOP = String.raw`
sub new_wrapper {
  my ($key) = @_;
  pipe(my $orders, my $order) or return undef;
  my $pid = fork;
  return undef unless defined $pid;
  if ($pid == 0) {
    close $order;
    setpgrp 0, 0;
    eval { wrap_jobs($orders, $key) };
    quit(1);
  }
  setpgrp $pid, $pid;
  return { pid => $pid, order => $order };
}

# The server sends later jobs of the slot directly to the wrapper, through the path announced here.
sub start {
  my ($order) = @_;
  my ($number, $slot, $key, $folder) = split / /, $order, 4;
  if ($number == 0) { delete $wrappers{$slot}; return }
  my $wrapper = new_wrapper($key);
  if ($wrapper && syswrite $wrapper->{order}, "$number $folder\n") {
    $wrappers{$slot} = $wrapper;
    # Only now: the client sends an announced order to no other supervisor, should this one be killed.
    announce('forked', $number, $wrapper->{pid}, "/proc/$$/fd/" . fileno $wrapper->{order});
  } else {
    announce("ended $number");
  }
}

# Answers whether any child is left. A wrapper that was killed could not announce the end of its job. One that has become
# unfit may have ignored its last order.
sub reap {
  my $pid;
  while (($pid = waitpid -1, 1) > 0) {
    my $status = $?;
    my ($slot) = grep { $wrappers{$_}{pid} == $pid } keys %wrappers or next;
    delete $wrappers{$slot};
    announce('gone', $pid, $status >> 8 == UNFIT ? 'unfit' : ());
  }
  return $pid == 0;
}

$SIG{CHLD} = sub { };
$SIG{HUP} = $SIG{PIPE} = 'IGNORE';
my ($lines, $is_open, $has_children) = ('', 1, 0);
while ($is_open || $has_children) {
  my $ready = '';
  vec($ready, 0, 1) = 1 if $is_open;
  my $count = select $ready, undef, undef, $has_children ? 1 : undef;
  if ($count > 0 && $is_open) {
    my $got = sysread STDIN, $lines, 65536, length $lines;
    if (!$got && !(!defined $got && $! == EINTR)) { $is_open = 0 }
    while ($lines =~ s/^(.*)\n//) { start($1) }
    if (!$is_open) { announce('over'); %wrappers = () }
  }
  $has_children = reap();
}
`;

/** Jobs without a sandbox need no place. */
const PLAIN = String.raw`
# What a program leaves becomes a child of the wrapper, so that nothing is left if it has no child.
sub open_place { return { adopts => eval { call('prctl', 36, 1, 0, 0, 0); 1 } } }
sub is_fit { return !$_[0]{is_left} }

sub run_program {
  my ($place, $job, $started, $terminated) = @_;
  chdir $job->{workdir}[0] or return 97;
  my $program = fork;
  return fail($job, 254, "fork: $!\n") unless defined $program;
  # Until it is marked, it can be found by the group of its wrapper.
  if ($program == 0) { mark($job); begin($job, $terminated); setpgrp 0, 0; become($job) }
  $started->($program);
  my ($ended, $code);
  while (($ended = waitpid -1, 0) != $program) { return 254 if $ended < 0 }
  $code = code_of($?);
  while (($ended = waitpid -1, 1) > 0) { }
  $place->{is_left} = $ended == 0 || !$place->{adopts};
  # It waits for its next job, and holds no folder of this one.
  chdir '/';
  return $code;
}
`;

/** The command line of the supervisor for jobs without a sandbox; undefined without Perl or on unknown processors. */
export function plainSupervisor(): readonly string[] | undefined {
  const perl = ["/usr/bin/perl", "/bin/perl"].find(mayRun);
  const numbers = systemCallNumbers();
  if (perl === undefined || numbers === undefined) return undefined;
  return [perl, "-e", perlSupervisor(PLAIN), "plain", "", ...numbers];
}

/** Whether a file is there that this account may execute. */
export function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
