/** Command-line options that podman needs on machines where its defaults do not work. */
export interface PodmanWorkarounds {
  /** Flags before the command, such as `--runtime=runc`. */
  readonly everywhere: readonly string[];
  /** Arguments for the commands that start containers: `run`, `build`. */
  readonly starting: readonly string[];
}

export const NO_WORKAROUNDS: PodmanWorkarounds = { everywhere: [], starting: [] };

/** Maximum number of consecutive problems that can be fixed. */
export const ALL_WORKAROUNDS = 3;

/** Files with this process's limits and the machine's maximum number of processes. */
export const OWN_LIMITS = ["/proc/self/limits", "/proc/sys/kernel/pid_max"] as const;

/**
 * The fix for an error that podman reported when starting a container; undefined if none is known or the fix did not
 * help. `ownLimits`: the contents of `OWN_LIMITS`, which the caller may grant to the container.
 */
export function fixPodman(
  stderr: string,
  workarounds: PodmanWorkarounds,
  ownLimits: string,
): PodmanWorkarounds | undefined {
  const { everywhere, starting } = workarounds;
  const mended = {
    everywhere: [...everywhere, ...MENDS.flatMap(([pattern, flag]) => (pattern.test(stderr) ? [flag] : []))],
    starting: LIMITS_REFUSED.test(stderr) ? [...new Set([...starting, ...limitFlags(ownLimits)])] : starting,
  };
  const isOther = mended.everywhere.length > everywhere.length || mended.starting.length > starting.length;
  const isTwice = new Set(mended.everywhere).size < mended.everywhere.length;
  return isOther && !isTwice ? mended : undefined;
}

const MENDS: readonly (readonly [RegExp, string])[] = [
  // crun on machines that mount both versions of control groups.
  [/cgroups in hybrid mode not supported/, "--runtime=runc"],
  [/systemd not running on this host|cannot use systemd cgroups manager/, "--cgroup-manager=cgroupfs"],
];

/**
 * podman gives root's containers higher limits than its own, which only some accounts may do; messages of runc and
 * crun.
 */
const LIMITS_REFUSED = /set(?:ting )?rlimit[^]*operation not permitted/i;

/** No account can use more processes than the machine allows, and podman's own limit stays below that. */
function limitFlags(ownLimits: string): readonly string[] {
  const mostProcesses = Number(/^(\d+)$/m.exec(ownLimits)?.[1] ?? Infinity);
  return [
    ...limitFlag("nofile", /^Max open files +(\d+) +(\d+)/m.exec(ownLimits), Infinity),
    ...limitFlag("nproc", /^Max processes +(\d+) +(\d+)/m.exec(ownLimits), mostProcesses),
  ];
}

/** An unlimited resource needs no option. */
function limitFlag(name: string, found: RegExpExecArray | null, most: number): readonly string[] {
  const [, soft, hard] = found ?? [];
  if (soft === undefined || hard === undefined) return [];
  return [`--ulimit=${name}=${Math.min(Number(soft), most)}:${Math.min(Number(hard), most)}`];
}
