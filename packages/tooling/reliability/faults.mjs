// npx node packages/tooling/reliability/faults.mjs [--rounds N] [--every N] [name…]: tries one fault after another, each on its own
// server, and reports whether Weft kept its promises. `rounds`: how often the disk is filled; `every`: which log writes fail.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { numbersFrom } from "./command-numbers.mjs";
import { setClock } from "./faults/clock.mjs";
import { failedSync, fullDisk, lockedDatabase, readOnlyFolder } from "./faults/disk.mjs";
import { FaultSite } from "./faults/fault-site.mjs";
import { greedyJobs } from "./faults/greed.mjs";
import { memoryGroups, noMemory } from "./faults/memory.mjs";
import * as processes from "./faults/processes.mjs";
import { failedWrites } from "./faults/writes.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";

/** Faults by name, each with its requirements in addition to Linux. */
const FAULTS = {
  "full disk": { run: fullDisk, needs: ["root"] },
  "failing writes": { run: failedWrites, needs: ["strace"] },
  "failing sync": { run: failedSync, needs: ["strace", "root"] },
  "read-only folder": { run: readOnlyFolder, needs: ["strace", "root"] },
  "locked database": { run: lockedDatabase, needs: [] },
  "clock that is set": { run: setClock, needs: [] },
  "killed wrapper": { run: processes.killedWrapper, needs: [] },
  "killed launcher": { run: processes.killedLauncher, needs: [] },
  "deleted folder": { run: processes.deletedFolder, needs: [] },
  "missing program": { run: processes.missingProgram, needs: [] },
  "missing launcher": { run: processes.missingLauncher, needs: ["unshare", "root"] },
  "stopped server": { run: processes.stoppedServer, needs: [] },
  "greedy jobs": { run: greedyJobs, needs: ["root"] },
  "no memory": { run: noMemory, needs: ["control groups of memory"] },
};

onPinnedNode();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, every: { type: "string" } },
});
const numbers = numbersFrom(
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
  { rounds: 20, every: 1 },
);
const names = positionals.length === 0 ? Object.keys(FAULTS) : positionals;
const unknown = names.filter((name) => !(name in FAULTS));
if (unknown.length > 0) {
  console.error(`there is no "${unknown.join('", "')}"; there are "${Object.keys(FAULTS).join('", "')}"`);
  process.exit(2);
}
let faults = 0;
for (const name of names) faults += await tryFault(name);
console.log(`faults: ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

async function tryFault(name) {
  const lacking = missingFor(FAULTS[name].needs);
  if (lacking !== undefined) return print(name, `skipped: it needs ${lacking}`, []);
  const site = new FaultSite();
  try {
    const figure = await FAULTS[name].run(site, numbers);
    return print(name, figure ?? "as promised", site.faults);
  } catch (error) {
    return print(name, "aborted by an error", [...site.faults, String(error)]);
  } finally {
    await site.close();
  }
}

function print(name, figure, found) {
  console.log(`faults: ${name}: ${found.length === 0 ? figure : `${found.length} faults`}`);
  for (const fault of found.slice(0, 20)) console.log(`faults: fault: ${fault}`);
  return found.length;
}

function missingFor(needs) {
  if (process.platform !== "linux") return "Linux";
  return needs.find((need) => !isAvailable(need));
}

function isAvailable(need) {
  if (need === "root") return process.getuid() === 0;
  if (need === "control groups of memory") return memoryGroups() !== undefined;
  return spawnSync("sh", ["-c", `command -v ${need}`]).status === 0;
}
