import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machineCgroups, openJobCgroups } from "../executor/cgroup/open-job-cgroups.ts";
import { probeBubblewrap, type SandboxProbe } from "../sandbox/probe-bubblewrap.ts";
import { sandboxPlaces } from "../sandbox/sandbox-places.ts";
import { failed, installCommand, ok, warning, type Finding, type Machine } from "./machine.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Makes a group, moves a process into it and removes it. */
export async function checkControlGroups(isWanted: boolean): Promise<Finding> {
  if (!isWanted) return ok("turned off (--no-control-groups)");
  if (process.platform !== "linux") return ok("not on this system: Weft tracks jobs by their process groups");
  const groups = await openJobCgroups(`weft-doctor-${process.pid}`, machineCgroups());
  groups?.close();
  const start = "systemd-run --user --scope -p Delegate=yes weft serve";
  if (groups === undefined)
    return warning("this process may not create any, so Weft tracks jobs by marks in their environment", start);
  if (!groups.countsMemory)
    return warning(
      "they track jobs, but cannot limit the memory of each",
      "systemd-run --user --same-dir -p Delegate=yes -p DelegateSubgroup=server weft serve",
    );
  return ok("they track jobs and limit the memory of each");
}

/** Runs a program in a sandbox, in a folder that looks like a state folder. */
export async function checkSandbox({ sandbox, env, run }: Pick<Machine, "sandbox" | "env" | "run">): Promise<Finding> {
  if (sandbox === "none") return ok("turned off (--sandbox none)");
  const root = realpathSync(mkdtempSync(join(tmpdir(), "weft-doctor-")));
  try {
    const runsFolder = join(root, "runs");
    mkdirSync(runsFolder);
    const places = sandboxPlaces({ root, runsFolder, stores: [] }, []);
    const probe = await probeBubblewrap({ run, places, path: env["PATH"] ?? PATH });
    return judgeSandbox(probe, sandbox === "required");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export function judgeSandbox(probe: SandboxProbe, isRequired: boolean, setting = kernelSetting): Finding {
  if (probe.programs !== undefined) return ok(`bubblewrap ${probe.version}`);
  const detail = `bubblewrap ${probe.why}, so tools without a container can see and change everything that this account can`;
  const fix = probe.why.startsWith("is not installed") ? installCommand("bubblewrap") : allowNamespaces(setting);
  return isRequired ? failed(detail, fix) : warning(detail, fix);
}

/** Linux distributions keep user namespaces from ordinary accounts in different ways. */
function allowNamespaces(setting: (name: string) => string | undefined): string {
  const set = (assignment: string) => `sudo sysctl -w ${assignment}`;
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return set("kernel.apparmor_restrict_unprivileged_userns=0");
  if (setting("kernel/unprivileged_userns_clone") === "0") return set("kernel.unprivileged_userns_clone=1");
  if (setting("user/max_user_namespaces") === "0") return set("user.max_user_namespaces=10000");
  return "bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all true";
}

function kernelSetting(name: string): string | undefined {
  const path = join("/proc/sys", name);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}
