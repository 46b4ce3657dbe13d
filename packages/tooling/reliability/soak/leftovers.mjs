// Measures the resources that a server uses, and finds files and processes that remain after it has ended.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { findSurvivors } from "../find-survivors.mjs";

/** Anonymous memory in bytes, and open files, of a process. */
export async function usedBy(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const memory = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  return { memory, files: readdirSync(`/proc/${pid}/fd`).length };
}

/** Returns a sentence for each thing that should not remain. */
export async function leftOnMachine(site, { temporary, runs }) {
  const { stateFolder } = site;
  const faults = [];
  const survivors = new Set(runs.flatMap((runId) => findSurvivors(runId, "no such token")));
  if (survivors.size > 0) faults.push(`${survivors.size} processes are left`);
  const files = readdirSync(temporary).filter((name) => name.startsWith("weft"));
  if (files.length > 0) faults.push(`temporary files are left: ${files.slice(0, 5).join(", ")}`);
  const log = join(stateFolder, "weft.db-wal");
  if (existsSync(log) && statSync(log).size > 0)
    faults.push(`${statSync(log).size} bytes of the log are not in the database`);
  const groups = controlGroupsNamed(/^weft-[0-9a-f]{12}$/).filter((path) =>
    foldersBelow(path).some((group) => isAttempt(runs)(basename(group))),
  );
  if (groups.length > 0) faults.push(`control groups are left: ${groups.join(", ")}`);
  const hidden = readdirSync(stateFolder).filter((name) => name.startsWith("."));
  if (hidden.length > 0) faults.push(`the state folder has ${hidden.slice(0, 5).join(", ")}`);
  return faults;
}

function isAttempt(runs) {
  const known = new Set(runs);
  return (name) => known.has(name.split(".")[0]);
}

function controlGroupsNamed(pattern) {
  const root = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((path) => existsSync(join(path, "cgroup.procs")));
  if (root === undefined) return [];
  return foldersBelow(root).filter((path) => pattern.test(basename(path)));
}

/** Leaves out folders that this account may not list, such as groups of other accounts, and folders that are gone. */
function foldersBelow(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === "EACCES" || error.code === "ENOENT" || error.code === "ENODEV") return [];
    throw error;
  }
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  return folders.flatMap((path) => [path, ...foldersBelow(path)]);
}
