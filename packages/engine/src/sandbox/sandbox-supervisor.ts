import { deviceOptions, KEPT_BY_ROOT, capabilityOptions } from "./bubblewrap-argv.ts";
import type { SandboxProgram } from "./bubblewrap-argv.ts";

/** The system call numbers that differ between processors, in the order of the program's arguments. */
const SYSTEM_CALLS: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [272, 308, 157, 126, 98, 302, 112, 165, 231, 31, 66, 71],
  arm64: [97, 268, 167, 91, 165, 261, 157, 40, 94, 195, 191, 187],
};
/** What root needs to create and fill namespaces; no job keeps it. */
const MAKERS = ["SYS_ADMIN", "SYS_CHROOT", "SETPCAP", "NET_ADMIN"];

export interface SupervisorOptions {
  readonly bubblewrap: SandboxProgram;
  /** Absolute path of Perl. */
  readonly perl: string;
  /** Absolute paths below /dev. */
  readonly devices: readonly string[];
}

/** The command line of the supervisor; undefined if its system call numbers are unknown. */
export function sandboxSupervisor({ bubblewrap, perl, devices }: SupervisorOptions): readonly string[] | undefined {
  const { path, isRoot } = bubblewrap;
  const numbers = SYSTEM_CALLS[process.arch];
  if (numbers === undefined) return undefined;
  const kept = isRoot ? [...KEPT_BY_ROOT.values()].join(",") : "";
  return [
    path,
    ...(isRoot ? capabilityOptions([...KEPT_BY_ROOT.keys(), ...MAKERS]) : []),
    ...["--dev-bind", "/", "/"],
    ...deviceOptions(devices),
    ...["--chdir", "/", "--", perl, "-e", PROGRAM, isRoot ? "root" : "user", kept, ...numbers.map(String)],
  ];
}

/**
 * A Perl program that starts sandboxed jobs without executing a program for each. It speaks the protocol of the shell
 * supervisor (executor/job-supervisor.ts) with lines of `<number> <key> <folder>`, and runs inside a bubblewrap sandbox
 * that hides nothing.
 *
 * A *box* is a set of PID, IPC and network namespaces with a first process, which also holds a /proc and /dev/pts for
 * them. Every running job has a box to itself. When a job has ended, the first process kills everything that is left,
 * and the box can serve the next job with the same key (a run and its use of the network). An idle box lives for two
 * seconds.
 *
 * The *wrapper* of a job is a fork of the supervisor in the server's PID namespace, so its recorded process id is valid
 * for every server. It claims the attempt, forks the program into the box and records its exit. The program's fork
 * creates the job's own mount namespace (and user namespace, unless it is root) from bubblewrap's options, drops its
 * privileges and opens the streams that the tool names. When a wrapper is killed, its box ends with everything inside.
 * When the supervisor is killed, wrappers and boxes stay until their jobs have ended.
 *
 * Arguments: `root` or `user`, the capabilities that root keeps (numbers with commas), and the system call numbers.
 */
const PROGRAM = String.raw`
use strict;
$^F = 2;
my ($account, $kept, @numbers) = @ARGV;
my $is_root = $account eq 'root';
my ($uid, $gid) = ($<, 0 + $();
my %number;
@number{qw(unshare setns prctl capset getrusage prlimit64 setsid mount exit_group shmctl semctl msgctl)} = @numbers;
@number{qw(open_tree move_mount close_range mount_setattr)} = (428, 429, 436, 442);
sub NEWNS() { 0x20000 } sub NEWIPC() { 0x8000000 } sub NEWUSER() { 0x10000000 }
sub NEWPID() { 0x20000000 } sub NEWNET() { 0x40000000 }
sub RDONLY() { 1 } sub NOSUID() { 2 } sub NODEV() { 4 } sub NOEXEC() { 8 }
sub HERE() { -100 } sub EMPTY_PATH() { 0x1000 } sub RECURSIVE() { 0x8000 }
sub NEW_FILE() { 0301 } sub EINTR() { 4 }
sub IDLE_SECONDS() { 2 } sub MAX_IDLE() { 32 }

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
sub map_account { set('/proc/self/setgroups', 'deny'); set('/proc/self/uid_map', "$_[0]\n"); set('/proc/self/gid_map', "$_[1]\n") }

# What all children used that were waited for: microseconds of user and system time, bytes read and written.
sub used {
  my $usage = "\0" x 144;
  syscall(0 + $number{getrusage}, -1, $usage);
  my @times = unpack 'q4', $usage;
  my $io = eval { text_of('/proc/self/io') } || '';
  my ($read, $written) = $io =~ /^rchar: (\d+)\nwchar: (\d+)/;
  return ($times[0] * 1e6 + $times[1], $times[2] * 1e6 + $times[3], $read || 0, $written || 0);
}

# Nothing that the server left open reaches a job; orphans come here.
$0 = 'weft-sandbox';
call('close_range', 3, 0xffffffff, 0);
call('prctl', 36, 1, 0, 0, 0);
my (%busy, %idle);
pipe(my $ended, my $ending) or die;
fcntl $ended, 4, 04000 or die;
my $last_right = 0 + text_of('/proc/sys/kernel/cap_last_cap');

sub new_box {
  my ($key) = @_;
  my $has_network = $key =~ /:online$/;
  pipe(my $orders, my $order) or die;
  pipe(my $answers, my $answer) or die;
  my $maker = fork;
  if (defined $maker && $maker == 0) {
    (%busy, %idle) = ();
    eval {
      call('unshare', ($is_root ? 0 : NEWUSER) | NEWPID | NEWIPC | ($has_network ? 0 : NEWNET));
      map_account("0 $uid 1", "0 $gid 1") unless $is_root;
      loopback_up() unless $has_network;
      my $first = fork;
      die "fork: $!\n" unless defined $first;
      if ($first == 0) { close $order; close $answers; first_process($orders, $answer) }
      close $answer;
      sleep 60;
    };
    syswrite $answer, "failed $@" if $@;
    quit(1);
  }
  close $orders;
  close $answer;
  my $line = defined $maker ? <$answers> : undef;
  # The rights to enter the others come with the user namespace.
  my @entered = (($is_root ? () : 'user'), 'pid', 'ipc', ($has_network ? () : 'net'));
  my %box = (key => $key, order => $order, answers => $answers, entered => \@entered);
  if ($line =~ /^(\d+)$/) {
    $box{first} = $1;
    open $box{$_}, '<', "/proc/$box{first}/ns/$_" or $box{failure} = "namespace $_: $!" for @entered, 'mnt';
    $box{empty_size} = -s "/proc/$box{first}/root/dev/shm";
  } else {
    $box{failure} = $line =~ /^failed (.+)/ ? $1 : 'its first process could not start';
  }
  if ($maker) { kill 9, $maker; waitpid $maker, 0 }
  return \%box;
}

sub loopback_up {
  socket my $socket, 2, 2, 0 or die "socket: $!\n";
  my $request = pack 'a16 s x22', 'lo', 0x41;
  ioctl $socket, 0x8914, $request or die "loopback: $!\n";
}

sub first_process {
  my ($orders, $answer) = @_;
  my $reaped = 0;
  eval {
    my ($pid) = text_of('/proc/self/stat') =~ /^(\d+)/;
    call('setsid');
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    close $ended;
    close $ending;
    call('unshare', NEWNS);
    call('mount', 'proc', '/proc', 'proc', NOSUID | NODEV | NOEXEC, '');
    call('mount', 'devpts', '/dev/pts', 'devpts', NOSUID | NOEXEC, 'newinstance,ptmxmode=0666,mode=620');
    # Jobs see another /dev/shm. Where the kernel has no message queues, there are none to look for.
    eval { call('mount', 'mqueue', '/dev/shm', 'mqueue', NOSUID | NODEV | NOEXEC, '') };
    $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP PIPE);
    $SIG{CHLD} = sub { $reaped++ while waitpid(-1, 1) > 0 };
    syswrite $answer, "$pid\n";
  };
  if ($@) { syswrite $answer, "failed $@"; quit(1) }
  my @before = used();
  while (1) {
    my $got = sysread $orders, my $byte, 1;
    next if !defined $got && $! == EINTR;
    quit(0) unless $got;
    # A parent that ends leaves its children to this process, so nothing is left when it has no child.
    while (1) { kill 9, -1; last if waitpid(-1, 0) < 0; $reaped++ }
    my @now = $reaped ? used() : @before;
    syswrite $answer, join(' ', map { $now[$_] - $before[$_] } 0 .. 3) . "\n";
    @before = @now;
    $reaped = 0;
  }
}

# What the first process of a box has waited for so far, as a number that grows with each process; undefined while it has children.
sub adopted {
  my ($first) = @_;
  return undef if text_of("/proc/$first/task/$first/children") ne '';
  return (split ' ', (split /\) /, text_of("/proc/$first/stat"))[-1])[8];
}

# Whether shared memory, semaphores or message queues are left in a box, which belong to no process.
sub holds_memory {
  my ($box) = @_;
  my ($shm, $sem, $msg) = ("\0" x 256) x 3;
  syscall(0 + $number{shmctl}, 0, 14, $shm);
  syscall(0 + $number{semctl}, 0, 0, 19, $sem);
  syscall(0 + $number{msgctl}, 0, 12, $msg);
  return unpack('l', $shm) || (unpack 'l8', $sem)[7] || unpack('l', $msg)
    || -s "/proc/$box->{first}/root/dev/shm" != $box->{empty_size};
}

sub run_job {
  my ($number, $folder, $box) = @_;
  (%busy, %idle) = ();
  my $is_terminated = 0;
  $SIG{$_} = sub { $is_terminated = 1 } for qw(TERM INT HUP);
  $SIG{CHLD} = 'DEFAULT';
  my $stat = text_of('/proc/self/stat');
  my ($pid) = $stat =~ /^(\d+)/;
  my $boot = eval { text_of('/proc/sys/kernel/random/boot_id') } || "\n";
  sysopen my $record, "$folder/record", NEW_FILE or leave($number, "taken", 1);
  syswrite $record, "pid $pid\nboot " . $boot . "stat $stat" or leave($number, "ended", 0);
  announce("started $number");
  my %job = read_launch("$folder/launch");
  my $code = 143;
  my @extra = (0, 0, 0, 0);
  my $adopted;
  if (!$is_terminated) {
    my $program = eval {
      die "$box->{failure}\n" if $box->{failure};
      for (@{$box->{entered}}) { call('setns', fileno $box->{$_}, 0) }
      $adopted = eval { adopted($box->{first}) };
      my $child = fork;
      die "fork: $!\n" unless defined $child;
      $child;
    };
    my $failure = $@;
    if (!defined $program) {
      eval { create($job{out}[0]); syswrite create($job{err}[0]), "weft-sandbox: $failure" };
      $code = 1;
    } else {
      start_program($box, \%job, $is_terminated) if $program == 0;
      waitpid $program, 0;
      $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
      # What the program leaves are children of the first process by now, or below one.
      my $left = eval { adopted($box->{first}) };
      if (!defined $left || $left != $adopted) {
        syswrite $box->{order}, 'x';
        my $answers = $box->{answers};
        my $line = <$answers>;
        if (defined $line) { @extra = split ' ', $line }
        else { $box->{failure} = 'its first process has ended' }
      }
      $box->{failure} = 'it is used up' if holds_memory($box);
    }
  }
  my $io = eval { text_of('/proc/self/io') } || '';
  $io =~ s/^(rchar: )(\d+)/$1 . ($2 + $extra[2])/em;
  $io =~ s/^(wchar: )(\d+)/$1 . ($2 + $extra[3])/em;
  my @used = used();
  my $times = join ' ', map { sprintf '%dm%.3fs', int($_ / 6e7), ($_ % 6e7) / 1e6 } $used[0] + $extra[0], $used[1] + $extra[1];
  my $end = $io . "0m0.000s 0m0.000s\n$times\nexit $code\n";
  my $written = syswrite $record, $end;
  leave($number, "ended", defined $written && $written == length $end && !$box->{failure});
}

# Frees the box before it tells the server, because the next job may need the box.
sub leave {
  my ($number, $how, $is_fine) = @_;
  syswrite $ending, "$$ $number\n" if $is_fine;
  announce("$how $number");
  quit(0);
}

# Repeated keys are lists.
sub read_launch {
  my %job;
  for (split /\0/, text_of($_[0])) { my ($key, $value) = split /=/, $_, 2; push @{$job{$key}}, $value }
  return %job;
}

sub create { sysopen my $file, $_[0], NEW_FILE or die "$_[0]: $!\n"; return $file }

sub open_streams {
  my ($job) = @_;
  my $err = create($job->{err}[0]);
  open STDERR, '>&', $err or die;
  open STDIN, '<', $job->{in}[0] or die "$job->{in}[0]: $!\n";
  my $out = create($job->{out}[0]);
  open STDOUT, '>&', $out or die;
}

sub start_program {
  my ($box, $job, $is_terminated) = @_;
  quit(143) if $is_terminated;
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP PIPE);
  eval { open_streams($job); 1 } or quit(126);
  eval {
    call('setsid');
    call('prlimit64', 0, 10, pack('Q2', $job->{stamp}[0], $job->{stamp}[0]), 0) if $job->{stamp};
    eval { set($job->{cgroup}[0], '0') } if $job->{cgroup};
    call('setns', fileno $box->{mnt}, 0);
    call('unshare', NEWNS | ($is_root ? 0 : NEWUSER));
    map_account("$uid 0 1", "$gid 0 1") unless $is_root;
    mount_view($job->{mount});
    chdir $job->{workdir}[0] or die "$job->{workdir}[0]: $!\n";
    drop_rights();
    1;
  } or do { print STDERR "weft-sandbox: $@"; quit(1) };
  eval { open_named($job); 1 } or do { print STDERR $@; quit(126) };
  my @argv = @{$job->{arg}};
  %ENV = map { split /=/, $_, 2 } @{$job->{env} || []};
  exec { $argv[0] } @argv;
  my $failed = 0 + $!;
  print STDERR "$argv[0]: ", ($failed == 2 ? 'not found' : $!), "\n";
  quit($failed == 2 ? 127 : 126);
}

sub clone_tree {
  my ($path, $attributes) = @_;
  my $fd = syscall(0 + $number{open_tree}, HERE, $path, 0x80001 | RECURSIVE);
  return undef if $fd < 0;
  set_attributes($fd, '', $attributes, EMPTY_PATH | RECURSIVE);
  return $fd;
}
sub set_attributes {
  my ($fd, $path, $set, $flags, $clear) = @_;
  call('mount_setattr', $fd, $path, $flags, pack('Q4', $set, $clear || 0, 0, 0), 32);
}
sub attach { my ($fd, $target) = @_; call('move_mount', $fd, '', HERE, $target, 4) }

# All sources are taken before anything is hidden or made read-only.
sub mount_view {
  my @words = @{$_[0]};
  my @steps;
  while (@words) {
    my $option = shift @words;
    my $path = shift @words;
    if ($option eq '--tmpfs' || $option eq '--remount-ro') { push @steps, [$option, $path, undef, 1]; next }
    my $target = shift @words;
    my $is_read = $option eq '--ro-bind-try';
    my $fd = clone_tree($path, NOSUID | NODEV | ($is_read ? RDONLY : 0));
    next if !defined $fd && $is_read && $! == 2;
    die "$path: $!\n" unless defined $fd;
    push @steps, ['', $target, $fd, -d $path];
  }
  my $devices = clone_tree('/dev', NOSUID | RDONLY) // die "/dev: $!\n";
  set_attributes(HERE, '/', NOSUID | NODEV | RDONLY, RECURSIVE);
  attach($devices, '/dev');
  set_attributes(HERE, '/proc', 0, 0, RDONLY) unless $is_root;
  call('mount', 'tmpfs', '/dev/shm', 'tmpfs', NOSUID | NODEV, 'mode=0755');
  for (@steps) {
    my ($option, $target, $fd, $is_folder) = @$_;
    if ($option ne '--remount-ro') { make_place($target, $is_folder) unless -e $target }
    if ($option eq '--tmpfs') { call('mount', 'tmpfs', $target, 'tmpfs', NOSUID | NODEV, 'mode=0755') }
    elsif ($option eq '--remount-ro') { set_attributes(HERE, $target, RDONLY, 0) }
    else { attach($fd, $target) }
  }
}

sub make_place {
  my ($path, $is_folder) = @_;
  my $above = '';
  my @names = grep { $_ ne '' } split m{/}, $path;
  my $name = pop @names;
  for (@names) { $above .= "/$_"; mkdir $above, 0755 unless -d $above }
  if ($is_folder) { mkdir "$above/$name", 0755 or die "$path: $!\n" }
  else { create("$above/$name") }
}

sub drop_rights {
  my %keeps = map { $_ => 1 } split /,/, $kept;
  for (0 .. $last_right) { call('prctl', 24, $_, 0, 0, 0) unless $keeps{$_} }
  call('prctl', 47, 4, 0, 0, 0);
  my $rights = 0;
  $rights |= 1 << $_ for keys %keeps;
  call('capset', pack('L2', 0x20080522, 0), pack('L6', $rights, $rights, 0, 0, 0, 0));
}

# As the job, in its view.
sub open_named {
  my ($job) = @_;
  my ($in, $out, $err) = map { $_ && $_->[0] } @$job{qw(named_in named_out named_err)};
  my ($err_file, $out_file);
  $err_file = create($err) if defined $err;
  if (defined $in) { open STDIN, '<', $in or die "$in: $!\n" }
  $out_file = defined $err && $out eq $err ? $err_file : create($out) if defined $out;
  open STDERR, '>&', $err_file if $err_file;
  open STDOUT, '>&', $out_file if $out_file;
}

sub end_box { my ($box) = @_; kill 9, $box->{first} if $box->{first} }

# Answers whether any child is left.
sub reap { take_boxes_back(); my $pid; while (($pid = waitpid -1, 1) > 0) { finish($pid) } return $pid == 0 }

sub take_boxes_back {
  sysread $ended, my $lines, 65536 or return;
  for (split /\n/, $lines) {
    my ($pid, $number) = split / /;
    next unless $busy{$pid} && $busy{$pid}[0] == $number;
    my $box = (delete $busy{$pid})->[1];
    push @{$idle{$box->{key}}}, { %$box, since => time };
  }
}

# A child has ended: a wrapper that has given its box back, one that was killed or whose box is no longer of use, or the
# first process of a box.
sub finish {
  my ($pid) = @_;
  take_boxes_back();
  my $job = delete $busy{$pid} or return forget_box($pid);
  end_box($job->[1]);
  announce("ended $job->[0]");
}

# The first process of a box has ended.
sub forget_box {
  my ($first) = @_;
  for (values %idle) { @$_ = grep { $_->{first} != $first } @$_ }
}

sub evict {
  my ($seconds, $most) = @_;
  my @boxes = sort { $b->{since} <=> $a->{since} } map { @$_ } values %idle;
  my @stay = grep { time - $_->{since} < $seconds } @boxes;
  $#stay = $most - 1 if @stay > $most;
  return if @stay == @boxes;
  %idle = ();
  unshift @{$idle{$_->{key}}}, $_ for @stay;
}

sub start {
  my ($number, $key, $folder) = split / /, $_[0], 3;
  take_boxes_back() unless $idle{$key} && @{$idle{$key}};
  my $box = ($idle{$key} && pop @{$idle{$key}}) || new_box($key);
  my $pid = fork;
  if (!defined $pid) { end_box($box); announce("ended $number"); return }
  if ($pid == 0) { setpgrp 0, 0; run_job($number, $folder, $box) }
  setpgrp $pid, $pid;
  $busy{$pid} = [$number, $box];
  announce("forked $number $pid");
}

$SIG{CHLD} = sub { };
$SIG{HUP} = $SIG{PIPE} = 'IGNORE';
my ($lines, $is_open, $has_children) = ('', 1, 0);
while ($is_open || %busy) {
  my $ready = '';
  vec($ready, fileno $ended, 1) = 1;
  vec($ready, 0, 1) = 1 if $is_open;
  my $count = select $ready, undef, undef, $has_children ? 1 : undef;
  if ($count > 0 && $is_open && vec($ready, 0, 1)) {
    my $got = sysread STDIN, $lines, 65536, length $lines;
    if (!$got && !(!defined $got && $! == EINTR)) { $is_open = 0 }
    while ($lines =~ s/^(.*)\n//) { start($1) }
    announce('over') unless $is_open;
  }
  evict($is_open ? IDLE_SECONDS : 0, MAX_IDLE);
  $has_children = reap();
}
`;
