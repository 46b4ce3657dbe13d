import { perlSupervisor, systemCallNumbers } from "../executor/perl-supervisor.ts";
import { deviceOptions, KEPT_BY_ROOT, capabilityOptions } from "./bubblewrap-argv.ts";
import type { SandboxProgram } from "./bubblewrap-argv.ts";

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
  const numbers = systemCallNumbers();
  if (numbers === undefined) return undefined;
  const kept = isRoot ? [...KEPT_BY_ROOT.values()].join(",") : "";
  return [
    path,
    ...(isRoot ? capabilityOptions([...KEPT_BY_ROOT.keys(), ...MAKERS]) : []),
    ...["--dev-bind", "/", "/"],
    ...deviceOptions(devices),
    ...["--chdir", "/", "--", perl, "-e", PROGRAM, isRoot ? "root" : "user", kept, ...numbers],
  ];
}

/**
 * The part of a Perl supervisor (executor/perl-supervisor.ts) that runs jobs in sandboxes without executing a program for
 * each. The supervisor runs inside a bubblewrap sandbox that hides nothing.
 *
 * The place of a wrapper is a *box*: a PID, IPC and network namespace with a first process, which also holds a /proc and
 * /dev/pts for them. The wrapper itself stays in the server's PID namespace, so its recorded process id is valid for every
 * server. After each job, the first process kills everything that is left, and the box can serve the next job with the
 * same key (a run and its use of the network). When the wrapper ends or is killed, its box ends with everything inside.
 *
 * The program's fork creates the job's own mount namespace (and user namespace, unless it is root) from bubblewrap's
 * options, drops its privileges and opens the streams that the tool names.
 *
 * Arguments: `root` or `user`, the capabilities that root keeps (numbers with commas), and the system call numbers.
 */
const SANDBOXED_JOBS = String.raw`
my $is_root = $account eq 'root';
my ($uid, $gid) = ($<, 0 + $();
sub NEWNS() { 0x20000 } sub NEWIPC() { 0x8000000 } sub NEWUSER() { 0x10000000 }
sub NEWPID() { 0x20000000 } sub NEWNET() { 0x40000000 }
sub RDONLY() { 1 } sub NOSUID() { 2 } sub NODEV() { 4 } sub NOEXEC() { 8 }
sub EMPTY_PATH() { 0x1000 } sub RECURSIVE() { 0x8000 }

sub map_account { set('/proc/self/setgroups', 'deny'); set('/proc/self/uid_map', "$_[0]\n"); set('/proc/self/gid_map', "$_[1]\n") }

# Orphans come here.
$0 = 'weft-sandbox';
call('prctl', 36, 1, 0, 0, 0);
my $last_right = 0 + text_of('/proc/sys/kernel/cap_last_cap');

sub open_place {
  my ($key) = @_;
  my $has_network = $key =~ /:online$/;
  my %box;
  eval {
    pipe(my $orders, $box{order}) or die "pipe: $!\n";
    pipe($box{answers}, my $answer) or die "pipe: $!\n";
    call('unshare', ($is_root ? 0 : NEWUSER) | NEWPID | NEWIPC | ($has_network ? 0 : NEWNET));
    map_account("0 $uid 1", "0 $gid 1") unless $is_root;
    loopback_up() unless $has_network;
    my $first = fork;
    die "fork: $!\n" unless defined $first;
    if ($first == 0) { delete @box{qw(order answers)}; first_process($orders, $answer) }
    close $answer;
    $box{first} = $first;
    my $answers = $box{answers};
    my $line = <$answers>;
    die $line =~ /^failed (.+)/ ? "$1\n" : "its first process could not start\n" unless $line eq "ready\n";
    open $box{mnt}, '<', "/proc/$first/ns/mnt" or die "its mounts: $!\n";
    $box{empty_size} = -s "/proc/$first/root/dev/shm";
  };
  $box{failure} = $@ if $@;
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
    call('setsid');
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    call('unshare', NEWNS);
    call('mount', 'proc', '/proc', 'proc', NOSUID | NODEV | NOEXEC, '');
    call('mount', 'devpts', '/dev/pts', 'devpts', NOSUID | NOEXEC, 'newinstance,ptmxmode=0666,mode=620');
    # Jobs see another /dev/shm. Where the kernel has no message queues, there are none to look for.
    eval { call('mount', 'mqueue', '/dev/shm', 'mqueue', NOSUID | NODEV | NOEXEC, '') };
    $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP PIPE);
    $SIG{CHLD} = sub { $reaped++ while waitpid(-1, 1) > 0 };
    syswrite $answer, "ready\n";
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

sub run_program {
  my ($box, $job, $started, $terminated) = @_;
  if ($box->{failure}) { $box->{is_used_up} = 1; return fail($job, 1, "weft-sandbox: $box->{failure}") }
  my $adopted = eval { adopted($box->{first}) };
  my $program = fork;
  return fail($job, 1, "weft-sandbox: fork: $!\n") unless defined $program;
  start_program($box, $job, $terminated) if $program == 0;
  $started->($program);
  waitpid $program, 0;
  my $code = code_of($?);
  my @extra = ();
  # What the program leaves are children of the first process by now, or below one.
  my $left = eval { adopted($box->{first}) };
  if (!defined $left || $left != $adopted) {
    syswrite $box->{order}, 'x';
    my $answers = $box->{answers};
    my $line = <$answers>;
    if (defined $line) { @extra = split ' ', $line }
    else { $box->{is_used_up} = 1 }
  }
  $box->{is_used_up} ||= holds_memory($box);
  return ($code, @extra);
}
sub is_fit {
  my ($box) = @_;
  $box->{is_used_up} ||= $box->{first} && waitpid($box->{first}, 1) != 0;
  return !$box->{is_used_up};
}

sub start_program {
  my ($box, $job, $terminated) = @_;
  delete @$box{qw(order answers)};
  mark($job);
  begin($job, $terminated);
  eval {
    call('setsid');
    call('setns', fileno $box->{mnt}, 0);
    call('unshare', NEWNS | ($is_root ? 0 : NEWUSER));
    if (!$is_root) {
      map_account("$uid 0 1", "$gid 0 1");
      # Counted in the job's own user namespace. The kernel does not limit the processes of root.
      limit(6, $job->{processes}[0]) if $job->{processes};
    }
    mount_view($job->{mount});
    chdir $job->{workdir}[0] or die "$job->{workdir}[0]: $!\n";
    drop_rights();
    1;
  } or do { print STDERR "weft-sandbox: $@"; quit(1) };
  eval { open_named($job); 1 } or do { print STDERR $@; quit(126) };
  become($job);
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
  pass($err_file, 2) if $err_file;
  pass($out_file, 1) if $out_file;
}
`;

const PROGRAM = perlSupervisor(SANDBOXED_JOBS);
