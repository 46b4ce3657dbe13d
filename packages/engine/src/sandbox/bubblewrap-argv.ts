import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";

/** A path of this machine (`source`) and where the job sees it (`target`), both absolute. */
export interface SandboxMount {
  readonly source: string;
  readonly target: string;
  readonly access: "read" | "write";
}

/** What a job sees of this machine: everything, read-only, but for this. */
export interface SandboxView {
  /** Folders in the place of which it finds an empty one, with nothing but what is mounted below; without links. */
  readonly hidden: readonly string[];
  /** In any order; of two that are one below the other the deeper one counts there. */
  readonly mounts: readonly SandboxMount[];
  /** Absolute paths of devices below /dev besides the usual ones (null, zero, random, a terminal and the like). */
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

/** What the sandbox is made with. */
export interface SandboxProgram {
  /** Absolute path of `bwrap`. */
  readonly path: string;
  readonly isRoot: boolean;
}

/**
 * The first process inside. As the kernel lets the first process of a PID namespace hear no polite signal, the program is a
 * child of it; `exec` in the child makes sure that it is a program and never the shell's builtin of the same name. What this
 * shell says of a child that was ended by a signal is not for the job's standard error. With its end the kernel ends
 * everything that is left inside. Its parent waits for it, so that what was used inside is counted outside. The child
 * opens the streams that the tool names, so the job itself must be able to reach them; output streams are new files
 * (`set -C`).
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

/** The words that stand before a program and its arguments to close it in. */
export function bubblewrapArgv({ path, isRoot }: SandboxProgram, view: SandboxView): readonly string[] {
  const { workdir, networkAccess } = view;
  return [
    path,
    ...["--die-with-parent", "--new-session", "--as-pid-1", "--unshare-pid", "--unshare-ipc"],
    ...(networkAccess ? [] : ["--unshare-net"]),
    ...(isRoot ? onlyRights([...KEPT_BY_ROOT.keys()]) : []),
    ...["--ro-bind", "/", "/"],
    ...deviceWords(view.devices),
    // With its own /dev/shm: the machine's would be a way around /tmp.
    ...["--proc", "/proc"],
    // Root may write kernel settings without any capability: the kernel runs a program named in core_pattern as root outside.
    ...(isRoot ? ["--remount-ro", "/proc"] : []),
    ...viewWords(view),
    ...["--chdir", workdir, "--", "/bin/sh", "-c", firstProcess(view.streams), "weft-job"],
  ];
}

/** The words by which root keeps these capabilities and no others. */
export function onlyRights(names: readonly string[]): readonly string[] {
  return ["--cap-drop", "ALL", ...names.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}

/** A /dev of its own, with these devices too. */
export function deviceWords(devices: readonly string[]): readonly string[] {
  return ["--dev", "/dev", ...devices.flatMap((path) => ["--dev-bind-try", path, path])];
}

/** The words for what a job sees in the place of what is hidden. */
export function viewWords(view: Pick<SandboxView, "hidden" | "mounts">): readonly string[] {
  // Only at the end: below them places for what is mounted had to be made.
  return [...placed(view), ...view.hidden.flatMap((folder) => ["--remount-ro", folder])];
}

/** What is mounted on what: a folder comes before everything below it. */
function placed({ hidden, mounts }: Pick<SandboxView, "hidden" | "mounts">): readonly string[] {
  const covers = hidden.map((target) => ({ target, words: ["--tmpfs", target] }));
  const binds = mounts.map(({ source, target, access }) => ({
    target,
    // An input that is gone meanwhile is the tool's to miss.
    words: [access === "write" ? "--bind" : "--ro-bind-try", source, target],
  }));
  return [...covers, ...binds]
    .toSorted(({ target: a }, { target: b }) => depth(a) - depth(b))
    .flatMap(({ words }) => words);
}

function depth(path: string): number {
  return path.split("/").length;
}
