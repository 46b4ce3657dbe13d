import { LAUNCH_DESCRIPTOR } from "../executor/launch-file.ts";

/** A path of this machine (`source`) and the path that the job sees (`target`), both absolute. */
export interface SandboxMount {
  readonly source: string;
  readonly target: string;
  readonly access: "read" | "write";
}

/** The view of a job: the whole machine, read-only, except as follows. */
export interface SandboxView {
  /** Folders that look empty, except for mounts below them; with links resolved. */
  readonly hidden: readonly string[];
  /** The mounts, in any order. If two are nested, the inner one applies. */
  readonly mounts: readonly SandboxMount[];
  /** Absolute paths of additional devices below /dev (null, zero, random, a terminal and the like are always there). */
  readonly devices: readonly string[];
  readonly workdir: string;
  readonly networkAccess: boolean;
}

/** The programs that create the sandbox and start the job in it; absolute paths. */
export interface SandboxPrograms {
  readonly bubblewrap: string;
  readonly launcher: string;
  readonly isRoot: boolean;
  /** The kernel lists keys in /proc/keys. */
  readonly listsKeys: boolean;
}

/** The descriptor at which bubblewrap finds the filter of system calls. */
export const FILTER_DESCRIPTOR = 4;

/**
 * The capabilities that root keeps: over visible files and over its own processes. Not CAP_DAC_READ_SEARCH, which could
 * open hidden files by their handles, and nothing that affects the kernel, its devices or other processes.
 */
const KEPT_BY_ROOT = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "NET_BIND_SERVICE"];

/**
 * The command line that runs a job in a sandbox. bubblewrap itself is the first process inside: the kernel shields that one
 * from polite signals, which must reach the program, and when it ends, the kernel kills everything left inside.
 */
export function bubblewrapArgv(programs: SandboxPrograms, view: SandboxView): readonly string[] {
  const { bubblewrap, launcher, isRoot, listsKeys } = programs;
  const { workdir, networkAccess } = view;
  return [
    bubblewrap,
    ...["--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc"],
    ...(networkAccess ? [] : ["--unshare-net"]),
    ...["--seccomp", String(FILTER_DESCRIPTOR)],
    ...(isRoot ? ["--cap-drop", "ALL", ...KEPT_BY_ROOT.flatMap((name) => ["--cap-add", `CAP_${name}`])] : []),
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev", ...view.devices.flatMap((path) => ["--dev-bind-try", path, path])],
    // The sandbox has its own /dev/shm, because that of the machine would bypass the private /tmp.
    ...["--proc", "/proc"],
    // Root may write kernel settings without any capability: the kernel runs a program named in core_pattern as root outside.
    ...(isRoot ? ["--remount-ro", "/proc"] : []),
    // The file describes the keys of the account. A device does not open here.
    ...(listsKeys ? ["--ro-bind", "/dev/null", "/proc/keys"] : []),
    ...placed(view),
    // Hidden folders become read-only at the end, because mount points are created below them.
    ...view.hidden.flatMap((folder) => ["--remount-ro", folder]),
    ...["--chdir", workdir, "--", launcher, "--launch", String(LAUNCH_DESCRIPTOR)],
  ];
}

/** The arguments of mounts, each folder before its subfolders. */
function placed({ hidden, mounts }: SandboxView): readonly string[] {
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
