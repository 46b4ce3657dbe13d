/** Words of podman's command line that a machine needs on which its own choices do not work. */
export interface PodmanWorkarounds {
  /** Before the command: `--runtime=runc`. */
  readonly everywhere: readonly string[];
  /** Arguments for the commands that start containers: `run`, `build`. */
  readonly starting: readonly string[];
}

export const NO_WORKAROUNDS: PodmanWorkarounds = { everywhere: [], starting: [] };

/** So many troubles there are, one behind the other, that can be mended. */
export const ALL_WORKAROUNDS = 3;

/** Files of this process's limits, and of the most processes that there can be. */
export const OWN_LIMITS = ["/proc/self/limits", "/proc/sys/kernel/pid_max"] as const;

/**
 * What helps against a trouble that podman told of when it was to start a container; undefined where nothing is known, or was
 * of no help. `ownLimits`: what `OWN_LIMITS` hold, which whoever runs the container may give to it.
 */
export function mendPodman(
  said: string,
  workarounds: PodmanWorkarounds,
  ownLimits: string,
): PodmanWorkarounds | undefined {
  const { everywhere, starting } = workarounds;
  const mended = {
    everywhere: [...everywhere, ...MENDS.flatMap(([trouble, flag]) => (trouble.test(said) ? [flag] : []))],
    starting: LIMITS_REFUSED.test(said) ? [...new Set([...starting, ...limitFlags(ownLimits)])] : starting,
  };
  const isOther = mended.everywhere.length > everywhere.length || mended.starting.length > starting.length;
  const isTwice = new Set(mended.everywhere).size < mended.everywhere.length;
  return isOther && !isTwice ? mended : undefined;
}

const MENDS: readonly (readonly [RegExp, string])[] = [
  // crun, where both versions of control groups are mounted.
  [/cgroups in hybrid mode not supported/, "--runtime=runc"],
  [/systemd not running on this host|cannot use systemd cgroups manager/, "--cgroup-manager=cgroupfs"],
];

/** podman gives root's containers higher limits than its own, which only some accounts may; in the words of runc and crun. */
const LIMITS_REFUSED = /set(?:ting )?rlimit[^]*operation not permitted/i;

/** No account needs to be allowed more than the processes that a machine can have; podman keeps its own processes below that. */
function limitFlags(ownLimits: string): readonly string[] {
  const mostProcesses = Number(/^(\d+)$/m.exec(ownLimits)?.[1] ?? Infinity);
  return [
    ...limitFlag("nofile", /^Max open files +(\d+) +(\d+)/m.exec(ownLimits), Infinity),
    ...limitFlag("nproc", /^Max processes +(\d+) +(\d+)/m.exec(ownLimits), mostProcesses),
  ];
}

/** What is not limited needs none. */
function limitFlag(name: string, found: RegExpExecArray | null, most: number): readonly string[] {
  const [, soft, hard] = found ?? [];
  if (soft === undefined || hard === undefined) return [];
  return [`--ulimit=${name}=${Math.min(Number(soft), most)}:${Math.min(Number(hard), most)}`];
}
