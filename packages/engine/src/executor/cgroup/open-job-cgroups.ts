import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { diskCgroupFiles, type CgroupFiles } from "./cgroup-files.ts";
import { JobCgroups } from "./job-cgroups.ts";

/** Examines whether control groups can be used. Tests can replace it. */
export interface CgroupSystem {
  /** Contents of /proc/self/cgroup and /proc/self/mountinfo; empty if they do not exist. */
  readonly cgroup: string;
  readonly mountinfo: string;
  readonly files: CgroupFiles;
  /** Starts a process that moves into a group by writing to this file; false if that was refused. */
  readonly enter: (path: string) => Promise<boolean>;
}

/**
 * Opens groups for the jobs of one server, after a real trial on this machine. Creates them below the server's own
 * group, or next to it if that is called `server`. Only the latter can count memory and processes, because a group with
 * processes of its own cannot. `name` must be unique to the server.
 */
export async function openJobCgroups(name: string, system: CgroupSystem): Promise<JobCgroups | undefined> {
  const own = ownCgroup(system.cgroup, system.mountinfo);
  if (own === undefined) return undefined;
  const { files } = system;
  const folder = `${own.base}/${name}`;
  if (!files.make(folder)) return undefined;
  const counts = (controller: string) =>
    own.isDelegated &&
    [own.base, folder].every((group) => files.write(`${group}/cgroup.subtree_control`, `+${controller}`));
  const [countsMemory, countsProcesses] = [counts("memory"), counts("pids")];
  if (!(await canUse(folder, system))) {
    files.remove(folder);
    return undefined;
  }
  const groups = new JobCgroups({ folder, countsMemory, countsProcesses, files });
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

/** `cgroup.kill` exists since Linux 5.14. */
async function canUse(folder: string, { files, enter }: CgroupSystem): Promise<boolean> {
  const group = `${folder}/probe`;
  const works = files.make(group) && (await enter(`${group}/cgroup.procs`)) && files.write(`${group}/cgroup.kill`, "1");
  files.remove(group);
  return works;
}

function readOr(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** This process's version 2 control group. */
interface OwnCgroup {
  /** Absolute path of the folder below which groups for jobs may be created. */
  readonly base: string;
  /** The administrator has put the server into its own group below `base` and delegated the rest of `base` to it. */
  readonly isDelegated: boolean;
}

/** The name of that group: systemd's `DelegateSubgroup=server`. */
const SUBGROUP = "/server";

/** Parses the contents of /proc/self/cgroup and /proc/self/mountinfo; undefined without version 2. */
export function ownCgroup(cgroup: string, mountinfo: string): OwnCgroup | undefined {
  const own = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  const mount = mountinfo.split("\n").find((line) => / - cgroup2 /.test(line));
  const [root, point] = (mount?.split(" ") ?? []).slice(3, 5).map(unescapeOctal);
  // A group outside the mounted tree starts with dots.
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
