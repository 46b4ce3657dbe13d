/*
 * weft-exec starts the programs of jobs.
 *
 *   weft-exec                                  reads orders from standard input: "<number> <attempt folder>\n"
 *   weft-exec [--at T] [--wait S] [--oom F] FOLDER   runs one job in the foreground
 *   weft-exec --launch N                       becomes the program of the launch file open at descriptor N
 *
 * Each order is carried out by a fork of its own, the wrapper. It claims the attempt by creating `record` exclusively, reads
 * and removes `launch`, runs the program in a process group of its own, and appends its exit and usage to the record. After
 * SIGTERM, the wrapper stays to record the exit; if SIGTERM comes before the program has started, it starts nothing.
 * The answers on standard output are
 *
 *   forked <number> <pid>     the wrapper
 *   started <number> <pid>    the program
 *   ended <number>            the wrapper has ended, normally with a complete record
 *   taken <number>            someone else has claimed the attempt; nothing was run
 *   over                      end of input, and every line was handled
 *
 * It stays until its last wrapper has ended, even if the server is gone: the kernel sends SIGHUP to a process group without
 * a parent in its session when one of its processes is stopped (POSIX, "orphaned process group").
 *
 * A launch file is a sequence of `key=value` fields, each ended by NUL; the last one is `end=`.
 *
 * Build: cc -std=c11 -Os -static -o weft-exec weft-exec.c (packages/tooling/build-launcher.mjs has all options).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  TAKEN = 90, /* exit code of a wrapper that found the attempt claimed */
  NOT_FOUND = 91, /* there is no complete launch file */
  NO_FOLDER = 97,
  CANNOT_RUN = 126,
  NO_PROGRAM = 127,
  FIRST_FREE = 64, /* the launch file may ask for descriptors below */
  MOST_BYTES = 64 << 20,
};

/* ---- Launch files ---------------------------------------------------------------------------------------------- */

struct launch {
  char *text; /* everything else points into it */
  const char *workdir, *in, *out, *err;
  const char *named_in, *named_out, *named_err; /* opened by the program itself, where `via` has brought it */
  const char *cgroup; /* the file that a process writes to in order to enter its control group */
  unsigned long long stamp, files, processes; /* 0: no limit */
  bool keyring; /* the program gets a session keyring of its own */
  int launch_at; /* the descriptor at which `via` finds the launch file; -1: none */
  char **args, **env, **via, **open; /* `via` starts the program; `open`: "<descriptor> <path>" */
};

static bool number_of(const char *text, unsigned long long most, unsigned long long *value) {
  *value = 0;
  if (*text == '\0') return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    unsigned digit = (unsigned)(*text - '0');
    if (*value > (most - digit) / 10) return false;
    *value = *value * 10 + digit;
  }
  return true;
}

static bool set_field(struct launch *job, const char *key, char *value, size_t counts[4]) {
  const struct { const char *key; const char **to; } texts[] = {
    {"workdir", &job->workdir}, {"in", &job->in}, {"out", &job->out}, {"err", &job->err},
    {"named_in", &job->named_in}, {"named_out", &job->named_out}, {"named_err", &job->named_err},
    {"cgroup", &job->cgroup},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(key, texts[i].key) == 0) return *texts[i].to = value, true;
  const struct { const char *key; unsigned long long *to; } numbers[] = {
    {"stamp", &job->stamp}, {"files", &job->files}, {"processes", &job->processes},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(key, numbers[i].key) == 0) return number_of(value, ULLONG_MAX, numbers[i].to);
  const struct { const char *key; char **to; } lists[] = {
    {"arg", job->args}, {"env", job->env}, {"via", job->via}, {"open", job->open},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp(key, lists[i].key) == 0) return lists[i].to[counts[i]++] = value, true;
  if (strcmp(key, "keyring") == 0) return job->keyring = strcmp(value, "new") == 0;
  unsigned long long at;
  if (strcmp(key, "launch") != 0 || !number_of(value, FIRST_FREE - 1, &at) || at < 3) return false;
  return job->launch_at = (int)at, true;
}

/* Takes over `text`, which may be any bytes. False if it is not a complete launch file. */
static bool parse_launch(char *text, size_t size, struct launch *job) {
  *job = (struct launch){.text = text, .launch_at = -1};
  size_t fields = 0, counts[4] = {0};
  for (size_t i = 0; i < size; i++) fields += text[i] == '\0';
  char **lists = calloc(4 * (fields + 1), sizeof *lists);
  if (lists == NULL) return false;
  job->args = lists;
  job->env = lists + (fields + 1);
  job->via = lists + 2 * (fields + 1);
  job->open = lists + 3 * (fields + 1);
  if (size < 5 || memcmp(text + size - 5, "end=", 5) != 0 || (size > 5 && text[size - 6] != '\0')) return false;
  for (char *field = text; field < text + size - 5;) {
    char *next = field + strlen(field) + 1, *sign = strchr(field, '=');
    if (sign == NULL) return false;
    *sign = '\0';
    if (!set_field(job, field, sign + 1, counts)) return false;
    field = next;
  }
  return job->args[0] != NULL && job->workdir && job->in && job->out && job->err;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* The whole file, with a NUL after it; NULL if it cannot be read. */
static char *read_all(int fd, size_t *size) {
  size_t room = 4096;
  char *text = malloc(room + 1);
  for (*size = 0; text != NULL;) {
    ssize_t got = read(fd, text + *size, room - *size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0) return text[*size] = '\0', text;
      break;
    }
    *size += (size_t)got;
    if (*size < room) continue;
    char *larger = room < MOST_BYTES ? realloc(text, (room *= 2) + 1) : NULL;
    if (larger == NULL) break;
    text = larger;
  }
  free(text);
  return NULL;
}

/* A file of /proc and the like, cut to fit; empty if it cannot be read. */
static void read_text(const char *path, char *text, size_t room) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? 0 : read(fd, text, room - 1);
  text[got > 0 ? got : 0] = '\0';
  if (fd >= 0) close(fd);
}

static bool put(int fd, const char *text) {
  return write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static void set_text(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  put(fd, text);
  close(fd);
}

/* Never an existing file, and never through a link. */
static int create(const char *path) { return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

static int fail(int fd, int code, const char *what, const char *why) {
  dprintf(fd, "%s: %s\n", what, why ? why : strerrordesc_np(errno));
  return code;
}

/* ---- The program ----------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_terminated;
static void terminate(int signal) {
  (void)signal;
  is_terminated = 1;
}
static void wake(int signal) { (void)signal; }

/* exec resets signals that are handled, but not those that are ignored. */
static void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(signal, &action, NULL);
}

static void limit(int kind, unsigned long long most) {
  if (most > 0) setrlimit(kind, &(struct rlimit){most, most});
}

/* Like a shell: a script without an interpreter is run by /bin/sh. */
static void run_script(char *path, char **args, char **env) {
  size_t count = 0;
  while (args[count]) count++;
  char **words = calloc(count + 2, sizeof *words);
  if (words == NULL) return;
  words[0] = "/bin/sh";
  words[1] = path;
  memcpy(words + 2, args + 1, count * sizeof *words);
  execve(words[0], words, env);
}

/* 0 if there is nothing to execute at this path, otherwise why it cannot be executed. */
static int try_program(char *path, char **args, char **env) {
  execve(path, args, env);
  int why = errno;
  if (why == ENOEXEC) {
    run_script(path, args, env);
    why = errno;
  }
  struct stat found;
  if (why == ENOENT || why == ENOTDIR) return 0;
  /* A folder of that name, or a folder in PATH that this account may not search. */
  return why == EACCES && (stat(path, &found) < 0 || S_ISDIR(found.st_mode)) ? 0 : why;
}

/* Executes a program by its path or its name in PATH; returns the exit code if that is not possible. */
static int become(char **args, char **env) {
  int denied = 0;
  if (strchr(args[0], '/')) {
    execve(args[0], args, env);
    if (errno == ENOEXEC) run_script(args[0], args, env);
    if (errno != ENOENT) return fail(2, CANNOT_RUN, args[0], NULL);
    return fail(2, NO_PROGRAM, args[0], "not found");
  }
  const char *folders = "";
  for (char **setting = env; *setting; setting++)
    if (strncmp(*setting, "PATH=", 5) == 0) folders = *setting + 5;
  for (const char *folder = folders; *args[0] && *folders;) {
    const char *end = strchrnul(folder, ':');
    char *path;
    if (asprintf(&path, "%.*s/%s", end == folder ? 1 : (int)(end - folder), end == folder ? "." : folder, args[0]) < 0)
      break;
    int why = try_program(path, args, env);
    free(path);
    if (why != 0) denied = why;
    if ((why != 0 && why != EACCES) || *end == '\0') break;
    folder = end + 1;
  }
  if (denied == 0) return fail(2, NO_PROGRAM, args[0], "not found");
  return errno = denied, fail(2, CANNOT_RUN, args[0], NULL);
}

/* Opens what the launch file wants at certain descriptors. */
static bool open_at(const char *wish) {
  char *path;
  unsigned long at = strtoul(wish, &path, 10);
  if (*path != ' ' || at < 3 || at >= FIRST_FREE) return false;
  int fd = open(path + 1, O_RDONLY);
  if (fd < 0 || fd == (int)at) return fd >= 0;
  bool is_there = dup2(fd, (int)at) >= 0;
  close(fd);
  return is_there;
}

/* In the process that becomes the program, or what starts it. */
static int start_program(const struct launch *job, int launch_file, int out, int err) {
  limit(RLIMIT_LOCKS, job->stamp);
  if (job->cgroup) set_text(job->cgroup, "0");
  limit(RLIMIT_NOFILE, job->files);
  /* The kernel ends a job for lack of memory before it ends the server. */
  set_text("/proc/self/oom_score_adj", "500");
  for (int i = 0; i < 6; i++) handle((int[]){SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT}[i], SIG_DFL);
  if (is_terminated) return 128 + SIGTERM;
  if (dup2(out, 1) < 0 || dup2(err, 2) < 0) return CANNOT_RUN;
  /* May fail: accounts have quotas, and containers refuse it. It is not the only barrier (sandbox/seccomp-filter.ts). */
  if (job->keyring) syscall(SYS_keyctl, 1 /* KEYCTL_JOIN_SESSION_KEYRING */, NULL);
  int in = open(job->in, O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0) return fail(2, CANNOT_RUN, job->in, NULL);
  if (in > 0) close(in);
  for (char **wish = job->open; *wish; wish++)
    if (!open_at(*wish)) return fail(2, CANNOT_RUN, *wish, NULL);
  if (job->via[0] == NULL) return become(job->args, job->env);
  if (job->launch_at >= 0 && dup2(launch_file, job->launch_at) < 0) return fail(2, CANNOT_RUN, "launch", NULL);
  return become(job->via, job->env);
}

/* The last step of a program that something else (`via`) has started: as the program, with its rights and its view. */
static int continue_launch(const char *descriptor) {
  unsigned long long fd;
  struct launch job;
  size_t size;
  if (!number_of(descriptor, FIRST_FREE - 1, &fd) || lseek((int)fd, 0, SEEK_SET) < 0)
    return fail(2, CANNOT_RUN, "launch", NULL);
  char *text = read_all((int)fd, &size);
  close((int)fd);
  if (text == NULL || !parse_launch(text, size, &job)) return fail(2, CANNOT_RUN, "launch", "not a launch file");
  limit(RLIMIT_NPROC, job.processes);
  int err = job.named_err ? create(job.named_err) : 2;
  if (err < 0) return fail(2, CANNOT_RUN, job.named_err, NULL);
  int in = job.named_in ? open(job.named_in, O_RDONLY | O_CLOEXEC) : 0;
  if (in < 0) return fail(err, CANNOT_RUN, job.named_in, NULL);
  bool is_same = job.named_err && job.named_out && strcmp(job.named_out, job.named_err) == 0;
  int out = is_same ? err : job.named_out ? create(job.named_out) : 1;
  if (out < 0) return fail(err, CANNOT_RUN, job.named_out, NULL);
  if (in != 0) dup2(in, 0);
  if (out != 1) dup2(out, 1);
  if (err != 2) dup2(err, 2);
  return become(job.args, job.env);
}

/* ---- The wrapper ----------------------------------------------------------------------------------------------- */

struct order {
  unsigned long long number; /* 0 in the foreground */
  const char *folder;
  const char *at; /* a line that says where the claim was made; NULL: on this machine */
  const char *oom_file; /* the kernel's counts for the control group of this process; NULL: none */
};

static char boot[64] = "\n";

static char *path_in(const char *folder, const char *name) {
  char *path;
  if (asprintf(&path, "%s/%s", folder, name) < 0) exit(1);
  return path;
}

/* The record; -1 if someone else has claimed the attempt. A line of the claim says which process this is. */
static int claim(const struct order *order, bool *is_complete) {
  char *path = path_in(order->folder, "record");
  int record = create(path);
  free(path);
  if (record < 0) return -1;
  char stat[1024], text[2048];
  read_text("/proc/self/stat", stat, sizeof stat);
  snprintf(text, sizeof text, "%s%spid %d\nboot %sstat %s%sgroup 0\n", order->at ? order->at : "", order->at ? "\n" : "",
           (int)getpid(), boot, stat, *stat ? "" : "\n");
  *is_complete = put(record, text);
  return record;
}

static unsigned long long oom_kills(const char *path) {
  char text[1024];
  if (path == NULL) return 0;
  read_text(path, text, sizeof text);
  const char *line = strstr(text, "oom_kill ");
  return line ? strtoull(line + 9, NULL, 10) : 0;
}

/* A job without a sandbox may have written to the record or replaced it, even by a pipe. The last lines count. */
static void record_end(const struct order *order, int code, unsigned long long kills_before) {
  char text[1024], *io_end = text;
  read_text("/proc/self/io", text, 256);
  for (int lines = 0; *io_end && lines < 2; io_end++) lines += *io_end == '\n';
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  unsigned long long kills = oom_kills(order->oom_file);
  size_t room = sizeof text - (size_t)(io_end - text);
  int length = snprintf(
      io_end, room, "0m0.000s 0m0.000s\n%ldm%ld.%03lds %ldm%ld.%03lds\npeak: %lld\n", (long)used.ru_utime.tv_sec / 60,
      (long)used.ru_utime.tv_sec % 60, (long)used.ru_utime.tv_usec / 1000, (long)used.ru_stime.tv_sec / 60,
      (long)used.ru_stime.tv_sec % 60, (long)used.ru_stime.tv_usec / 1000, (long long)used.ru_maxrss * 1024);
  io_end += length, room -= (size_t)length;
  if (kills > kills_before) length = snprintf(io_end, room, "oom %llu\n", kills - kills_before);
  else length = 0;
  snprintf(io_end + length, room - (size_t)length, "exit %d\n", code);
  char *path = path_in(order->folder, "record");
  int record = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
  if (record >= 0) put(record, text);
}

/* Waits for the program, and for whatever else becomes a child of this process meanwhile. */
static int wait_for(pid_t program, bool holds_all) {
  int status, code = 254;
  for (pid_t ended; (ended = wait(&status)) != program;)
    if (ended < 0 && errno != EINTR) return code;
  code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  /* What started the program ends everything inside, so this ends soon; only then is all of it counted. */
  while (waitpid(-1, NULL, holds_all ? 0 : WNOHANG) > 0 || (holds_all && errno == EINTR)) continue;
  return code;
}

/* This process waits in vfork, whose child uses its memory until the program runs: nothing is copied for a moment. */
static pid_t start(const struct order *order, const struct launch *job, int launch_file, int out, int err) {
  pid_t program = vfork();
  if (program != 0) return program;
  /* In the foreground, another program may look after this process group, such as a daemon of Slurm. */
  if (order->number > 0) setpgid(0, 0);
  _exit(start_program(job, launch_file, out, err));
}

static int run_program(const struct order *order, const struct launch *job, int launch_file, int record) {
  int err = create(job->err);
  if (err < 0) return CANNOT_RUN;
  int out = strcmp(job->out, job->err) == 0 ? err : create(job->out);
  if (out < 0) return fail(err, CANNOT_RUN, job->out, NULL);
  if (chdir(job->workdir) < 0) return fail(err, NO_FOLDER, job->workdir, NULL);
  if (is_terminated) return 128 + SIGTERM;
  pid_t program = start(order, job, launch_file, out, err);
  if (program < 0) return fail(err, 254, "vfork", NULL);
  close(err);
  if (out != err) close(out);
  dprintf(record, "group %d\n", (int)program);
  if (order->number > 0) dprintf(1, "started %llu %d\n", order->number, (int)program);
  return wait_for(program, job->via[0] != NULL);
}

/* Returns the exit code of this wrapper. */
static int run_job(const struct order *order) {
  bool is_complete;
  unsigned long long kills_before = oom_kills(order->oom_file);
  int record = claim(order, &is_complete);
  if (record < 0) return TAKEN;
  if (!is_complete) return 0;
  /* What a program leaves becomes a child of this process, so that nobody else has to wait for it. */
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  char *path = path_in(order->folder, "launch");
  int opened = open(path, O_RDONLY | O_CLOEXEC);
  int launch_file = fcntl(opened, F_DUPFD_CLOEXEC, FIRST_FREE);
  close(opened);
  size_t size = 0;
  char *text = read_all(launch_file, &size);
  unlink(path);
  struct launch job;
  int code = CANNOT_RUN;
  if (text && parse_launch(text, size, &job)) code = run_program(order, &job, launch_file, record);
  /* The temporary folder of the program; files in it may say why it failed. */
  rmdir(path_in(order->folder, "tmp"));
  record_end(order, code, kills_before);
  return 0;
}

static void handle_as_wrapper(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int i = 0; i < 3; i++) handle((int[]){SIGTERM, SIGINT, SIGHUP}[i], terminate);
  handle(SIGCHLD, SIG_DFL);
  handle(SIGPIPE, wake);
  /* The wrapper holds nothing of what its program reads. */
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, 0);
  close(nothing);
}

/* ---- Orders ---------------------------------------------------------------------------------------------------- */

struct wrapper {
  pid_t pid;
  unsigned long long number;
};
static struct wrapper *wrappers;
static size_t wrapper_count, wrapper_room;

static void carry_out(char *line) {
  unsigned long long number;
  char *folder = strchr(line, ' ');
  if (folder == NULL) return;
  *folder++ = '\0';
  if (!number_of(line, ULLONG_MAX, &number)) return;
  if (wrapper_count == wrapper_room) {
    struct wrapper *more = realloc(wrappers, (wrapper_room + 64) * sizeof *wrappers);
    wrappers = more ? more : wrappers;
    wrapper_room += more ? 64 : 0;
  }
  pid_t pid = wrapper_count == wrapper_room ? -1 : fork();
  if (pid == 0) {
    setpgid(0, 0);
    handle_as_wrapper();
    dprintf(1, "forked %llu %d\n", number, (int)getpid());
    _exit(run_job(&(struct order){.number = number, .folder = folder}));
  }
  if (pid < 0) {
    dprintf(1, "ended %llu\n", number);
    return;
  }
  setpgid(pid, pid);
  wrappers[wrapper_count++] = (struct wrapper){pid, number};
}

/* Announces wrappers that have ended, also those that were killed. */
static void reap(int options) {
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, options)) > 0;)
    for (size_t i = 0; i < wrapper_count; i++)
      if (wrappers[i].pid == pid) {
        bool is_taken = WIFEXITED(status) && WEXITSTATUS(status) == TAKEN;
        dprintf(1, "%s %llu\n", is_taken ? "taken" : "ended", wrappers[i].number);
        wrappers[i] = wrappers[--wrapper_count];
        break;
      }
}

static int take_orders(void) {
  static char lines[65536];
  size_t length = 0;
  sigset_t child, none;
  sigemptyset(&none);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  /* It arrives only while this waits. */
  sigprocmask(SIG_SETMASK, &child, NULL);
  handle(SIGCHLD, wake);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGHUP, SIG_IGN);
  for (bool is_open = true; is_open;) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    int ready = ppoll(&input, 1, NULL, &none);
    reap(WNOHANG);
    if (ready <= 0) continue;
    ssize_t got = read(0, lines + length, sizeof lines - length);
    if (got < 0 && errno == EINTR) continue;
    length += got > 0 ? (size_t)got : 0;
    char *line = lines;
    for (char *end; (end = memchr(line, '\n', length - (size_t)(line - lines))); line = end + 1) {
      *end = '\0';
      carry_out(line);
    }
    length -= (size_t)(line - lines);
    memmove(lines, line, length);
    /* No path is longer than the buffer. */
    is_open = got > 0 && length < sizeof lines;
  }
  dprintf(1, "over\n");
  reap(0);
  return 0;
}

/* ---- The foreground -------------------------------------------------------------------------------------------- */

/* Another machine may have written the launch file, and its last bytes may arrive later. */
static bool is_whole(const char *folder) {
  char *record = path_in(folder, "record"), *path = path_in(folder, "launch"), tail[6];
  struct stat file;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool is_there = access(record, F_OK) == 0;
  if (fd >= 0 && fstat(fd, &file) == 0 && file.st_size >= 6)
    is_there |= pread(fd, tail, 6, file.st_size - 6) == 6 && memcmp(tail, "\0end=", 6) == 0;
  if (fd >= 0) close(fd);
  free(record);
  free(path);
  return is_there;
}

static int run_in_foreground(char **words) {
  struct order order = {0};
  unsigned long long seconds = 0;
  for (; words[0] && words[1] && strncmp(words[0], "--", 2) == 0; words += 2) {
    if (strcmp(words[0], "--at") == 0) order.at = words[1];
    else if (strcmp(words[0], "--oom") == 0) order.oom_file = words[1];
    else if (strcmp(words[0], "--wait") != 0 || !number_of(words[1], 86400, &seconds)) return 2;
  }
  order.folder = words[0];
  if (order.folder == NULL || words[1]) return fail(2, 2, "usage", "weft-exec [--at T] [--wait S] [--oom F] FOLDER");
  handle_as_wrapper();
  for (unsigned long long tries = 0; !is_whole(order.folder); tries++) {
    if (tries >= seconds) return NOT_FOUND;
    sleep(1);
    if (is_terminated) return 0;
  }
  int code = run_job(&order);
  return code == TAKEN ? 0 : code;
}

#ifndef WITHOUT_MAIN
int main(int count, char **words) {
  if (count == 3 && strcmp(words[1], "--launch") == 0) return continue_launch(words[2]);
  /* Nothing that the server left open reaches a job, and no file that is opened here becomes a standard stream. */
  close_range(3, ~0U, 0);
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR);
  read_text("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  if (*boot == '\0') strcpy(boot, "\n");
  return count == 1 ? take_orders() : run_in_foreground(words + 1);
}
#endif
