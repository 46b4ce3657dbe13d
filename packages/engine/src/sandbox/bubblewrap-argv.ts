import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";

/** A path of this machine (`source`) and the path that the job sees (`target`), both absolute. */
export interface SandboxMount {
  readonly source: string;
  readonly target: string;
  readonly access: "read" | "write";
}

/** What a job sees of this machine: everything, read-only, except as follows. */
export interface SandboxView {
  /** Folders that look empty, except for mounts below them; with links resolved. */
  readonly hidden: readonly string[];
  /** In any order; of two nested ones, the inner one applies. */
  readonly mounts: readonly SandboxMount[];
  /** Absolute paths of additional devices below /dev (null, zero, random, a terminal and the like are always there). */
  readonly devices: readonly string[];
  readonly workdir: string;
  readonly networkAccess: boolean;
  readonly streams: SandboxStreams;
}

/** Files that the job opens as its streams, by absolute paths inside; it inherits the others. */
export interface SandboxStreams {
  readonly stdin?: string | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

/** The program that creates the sandbox. */
export interface SandboxProgram {
  /** Absolute path of `bwrap`. */
  readonly path: string;
  readonly isRoot: boolean;
}

/**
 * The first process inside. The kernel shields the first process of a PID namespace from polite signals, so the program
 * is a child of it; `exec` in the child starts a program even if the shell has a builtin of that name. Messages of this
 * shell about a killed child must not reach the job's stderr. When it exits, the kernel kills everything left inside.
 * Its parent waits for it, so that usage inside is counted outside. The child opens the streams that the tool names, so
 * the job itself must be able to reach them; output streams are new files (`set -C`).
 */
function firstProcess({ stdin, stdout, stderr }: SandboxStreams): string {
  const files = [
    stderr === undefined ? "" : `2>${quoteForShell(stderr)}`,
    stdin === undefined ? "" : `<${quoteForShell(stdin)}`,
    stdout === undefined ? "" : stdout === stderr ? ">&2" : `>${quoteForShell(stdout)}`,
  ].filter((redirection) => redirection !== "");
  const start = files.length === 0 ? "" : `exec 2>&3; set -C; exec ${files.join(" ")} && `;
  const rest = files.length === 0 ? " 2>&3 3>&-" : " 3>&-";
  return `unset PWD OLDPWD SHLVL; exec 3>&2 2>/dev/null; (${start}exec "$@"${rest}); exit $?`;
}

/**
 * The capabilities that root keeps: over visible files and over its own processes. Not CAP_DAC_READ_SEARCH, which could
 * open hidden files by their handles, and nothing that affects the kernel, its devices or other processes.
 */
export const KEPT_BY_ROOT: ReadonlyMap<string, number> = new Map([
  ["CHOWN", 0],
  ["DAC_OVERRIDE", 1],
  ["FOWNER", 3],
  ["FSETID", 4],
  ["KILL", 5],
  ["SETGID", 6],
  ["SETUID", 7],
  ["NET_BIND_SERVICE", 10],
]);

/** The arguments that run a program in a sandbox. */
export function bubblewrapArgv({ path, isRoot }: SandboxProgram, view: SandboxView): readonly string[] {
  const { workdir, networkAccess } = view;
  return [
    path,
    ...["--die-with-parent", "--new-session", "--as-pid-1", "--unshare-pid", "--unshare-ipc"],
    ...(networkAccess ? [] : ["--unshare-net"]),
    ...(isRoot ? capabilityOptions([...KEPT_BY_ROOT.keys()]) : []),
    ...["--ro-bind", "/", "/"],
    ...deviceOptions(view.devices),
    // With its own /dev/shm: the machine's would bypass the private /tmp.
    ...["--proc", "/proc"],
    // Root may write kernel settings without any capability: the kernel runs a program named in core_pattern as root outside.
    ...(isRoot ? ["--remount-ro", "/proc"] : []),
    ...viewOptions(view),
    ...["--chdir", workdir, "--", "/bin/sh", "-c", firstProcess(view.streams), "weft-job"],
  ];
}

/** The options with which root keeps only these capabilities. */
export function capabilityOptions(names: readonly string[]): readonly string[] {
  return ["--cap-drop", "ALL", ...names.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}

/** A private /dev that includes these devices. */
export function deviceOptions(devices: readonly string[]): readonly string[] {
  return ["--dev", "/dev", ...devices.flatMap((path) => ["--dev-bind-try", path, path])];
}

/** The options for what a job sees in place of hidden folders. */
export function viewOptions(view: Pick<SandboxView, "hidden" | "mounts">): readonly string[] {
  // Only at the end: mount points had to be created below them.
  return [...placed(view), ...view.hidden.flatMap((folder) => ["--remount-ro", folder])];
}

/** Mount order: a folder comes before everything below it. */
function placed({ hidden, mounts }: Pick<SandboxView, "hidden" | "mounts">): readonly string[] {
  const covers = hidden.map((target) => ({ target, words: ["--tmpfs", target] }));
  const binds = mounts.map(({ source, target, access }) => ({
    target,
    // If an input has disappeared, the tool reports it.
    words: [access === "write" ? "--bind" : "--ro-bind-try", source, target],
  }));
  return [...covers, ...binds]
    .toSorted(({ target: a }, { target: b }) => depth(a) - depth(b))
    .flatMap(({ words }) => words);
}

function depth(path: string): number {
  return path.split("/").length;
}
