/** Where this process stands among the control groups of the second version. */
export interface OwnCgroup {
  /** Absolute path of the folder below which groups for jobs may be made. */
  readonly base: string;
  /** The administrator has put the server into a group of its own below `base` and left the rest of `base` to it. */
  readonly isDelegated: boolean;
}

/** The name of that group: systemd's `DelegateSubgroup=server`. */
const SUBGROUP = "/server";

/** Reads the texts of /proc/self/cgroup and /proc/self/mountinfo; undefined where there is no second version. */
export function ownCgroup(cgroup: string, mountinfo: string): OwnCgroup | undefined {
  const own = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  const mount = mountinfo.split("\n").find((line) => / - cgroup2 /.test(line));
  const [root, point] = (mount?.split(" ") ?? []).slice(3, 5).map(unescapeOctal);
  // A group outside of what is mounted here is shown with dots.
  if (own === undefined || root === undefined || point === undefined || own.startsWith("/..")) return undefined;
  const below = root === "/" ? own : own.startsWith(root) ? own.slice(root.length) : undefined;
  if (below === undefined) return undefined;
  const isDelegated = below.endsWith(SUBGROUP);
  const folder = isDelegated ? below.slice(0, -SUBGROUP.length) : below;
  return { base: `${point}${folder}`.replace(/\/$/, ""), isDelegated };
}

function unescapeOctal(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
