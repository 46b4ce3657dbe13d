// The kernel kills a job that exceeds its memory. The server and its jobs are in a control group with limited memory.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { linesOf } from "./fault-site.mjs";

const LIMIT_BYTES = 700 * 1024 * 1024;

/** `tail` keeps a line in memory until the line ends, and this one never does. */
const EAT = "head -c 2G /dev/zero | tail >/dev/null";

/** The job is reported as out of memory and retried with more; the server and other jobs continue. */
export async function noMemory(site) {
  const marks = join(site.folder, "marks");
  const group = join(memoryGroups(), `weft-fault-${process.pid}`);
  mkdirSync(group);
  const limit = ["memory.limit_in_bytes", "memory.max"]
    .map((name) => join(group, name))
    .find((path) => existsSync(path));
  writeFileSync(limit, String(LIMIT_BYTES));
  try {
    const enter = 'echo $$ >"$0" && exec "$@"';
    await site.start({ before: ["sh", "-c", enter, join(group, "cgroup.procs")] });
    const other = await site.run("sleep 2; echo done");
    const once = `test -e ${marks} && exit 0; echo begin >>${marks}; ${EAT}`;
    await expectOutOfMemory(site, await site.run(EAT));
    const again = await site.run(once, { options: { on_out_of_memory: { multiply: 2 } } });
    const { state } = await site.untilFinal(again);
    const { attempts } = await site.job(again);
    const requested = attempts.map((attempt) => attempt.ram_bytes);
    site.expect(
      state === "COMPLETE" && attempts.length === 2,
      `it ended as ${state} after ${attempts.length} attempts`,
    );
    site.expect(requested[1] === 2 * requested[0], `it requested ${requested.join(" and then ")} bytes`);
    site.expect(linesOf(marks).length === 1, "the next attempt did not see the mark of the first one");
    site.expect((await site.untilFinal(other)).state === "COMPLETE", "another run did not complete");
  } finally {
    await site.server?.stop("SIGKILL");
    await removeGroup(group);
  }
}

async function expectOutOfMemory(site, runId) {
  const { state, state_reason: reason } = await site.untilFinal(runId);
  const isReported = state === "EXECUTOR_ERROR" && /lack of memory/.test(reason.message);
  site.expect(isReported, `the run ended as ${state}: ${reason?.message}`);
  const { attempts } = await site.job(runId);
  site.expect(
    attempts.at(-1)?.state_reason?.code === "OUT_OF_MEMORY",
    "its job does not have the reason OUT_OF_MEMORY",
  );
}

/** The folder in which control groups with a memory limit can be created (version 1 or 2); undefined if there is none. */
export function memoryGroups() {
  return ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"].find((folder) => {
    const controllers = join(folder, "cgroup.subtree_control");
    const limits =
      folder.endsWith("memory") || (existsSync(controllers) && readFileSync(controllers, "utf8").includes("memory"));
    return limits && existsSync(folder) && isWritable(folder);
  });
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the group is empty: its processes were killed, but the kernel keeps the group until they are gone. */
async function removeGroup(group) {
  for (let left = 40; left > 0; left--) {
    if (readFileSync(join(group, "cgroup.procs"), "utf8") === "") return rmdirSync(group);
    await pause(250);
  }
}
