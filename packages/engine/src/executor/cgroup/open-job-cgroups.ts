import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { diskCgroupFiles } from "./cgroup-files.ts";
import type { CgroupFiles } from "./cgroup-files.ts";
import { JobCgroups } from "./job-cgroups.ts";

/** What is asked of the machine to find out whether groups can be used; a test may script it. */
export interface CgroupSystem {
  /** Texts of /proc/self/cgroup and /proc/self/mountinfo; empty where there are none. */
  readonly cgroup: string;
  readonly mountinfo: string;
  readonly files: CgroupFiles;
  /** Starts a process that moves into a group by writing to this file; false where it was refused. */
  readonly enter: (path: string) => Promise<boolean>;
}

/**
 * Groups for the jobs of one server, if this machine lets us: it is really tried. They are made below the group that the
 * server is in, or beside it where it was given one named `server`; only there the kernel is asked to count memory, for a
 * group with processes of its own cannot. `name` is the server's alone.
 */
export async function openJobCgroups(name: string, system: CgroupSystem): Promise<JobCgroups | undefined> {
  const own = ownCgroup(system.cgroup, system.mountinfo);
  if (own === undefined) return undefined;
  const { files } = system;
  const folder = `${own.base}/${name}`;
  if (!files.make(folder)) return undefined;
  const countsMemory = own.isDelegated && countMemory(own, folder, files);
  if (!(await canUse(folder, system))) {
    files.remove(folder);
    return undefined;
  }
  const groups = new JobCgroups({ folder, countsMemory, files });
  groups.sweepAll();
  return groups;
}

export function machineCgroups(): CgroupSystem {
  return {
    cgroup: readOr("/proc/self/cgroup"),
    mountinfo: readOr("/proc/self/mountinfo"),
    files: diskCgroupFiles,
    enter: (path) =>
      promisify(execFile)("/bin/sh", ["-c", 'echo 0 >"$0"', path]).then(
        () => true,
        () => false,
      ),
  };
}

/** `cgroup.kill` is there since Linux 5.14. */
async function canUse(folder: string, { files, enter }: CgroupSystem): Promise<boolean> {
  const group = `${folder}/probe`;
  const works = files.make(group) && (await enter(`${group}/cgroup.procs`)) && files.write(`${group}/cgroup.kill`, "1");
  files.remove(group);
  return works;
}

function countMemory({ base }: OwnCgroup, folder: string, files: CgroupFiles): boolean {
  return [base, folder].every((group) => files.write(`${group}/cgroup.subtree_control`, "+memory"));
}

function readOr(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Where this process stands among the control groups of the second version. */
interface OwnCgroup {
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
