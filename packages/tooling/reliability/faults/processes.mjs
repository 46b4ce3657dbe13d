// Faults of processes and of files in a job's folder. Each function takes a site and adds the problems found to it.
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eventually, linesOf } from "./fault-site.mjs";

const PAUSE_MS = 3000;
const LAUNCHERS = ["x86_64", "aarch64"].map((machine) =>
  join(import.meta.dirname, "../../../engine/native", `weft-exec-${machine}`),
);

/**
 * The process that keeps a job's record is killed: the job is retried, and the program of the first attempt does not
 * continue.
 */
export async function killedWrapper(site) {
  await site.start();
  const marks = join(site.folder, "marks");
  const runId = await site.run(`echo begin >>${marks}; sleep 2; echo end >>${marks}`);
  await site.untilRunning(runId);
  await eventually("the script to begin", () => linesOf(marks).length > 0);
  const [wrapper] = site.attemptFolders(runId).map((folder) => claimOf(readFileSync(join(folder, "record"), "utf8")));
  process.kill(wrapper, "SIGKILL");
  const { state } = await site.untilFinal(runId);
  const { attempts } = await site.job(runId);
  const written = linesOf(marks).join(" ");
  site.expect(state === "COMPLETE", `the run ended as ${state}`);
  site.expect(
    attempts[0]?.state_reason?.code === "BACKEND_LOST",
    "the first attempt does not have the reason BACKEND_LOST",
  );
  site.expect(written === "begin begin end", `the script wrote "${written}"`);
}

/** The launcher is killed: the running job continues, and a new launcher starts the next job. */
export async function killedLauncher(site) {
  await site.start();
  const runId = await site.run("sleep 1; echo done");
  await site.untilRunning(runId);
  for (const pid of childrenOf(site.server.pid, "weft-jobs")) process.kill(pid, "SIGKILL");
  const next = await site.run("echo next");
  for (const id of [runId, next]) {
    const { state } = await site.untilFinal(id);
    const { attempts } = await site.job(id);
    site.expect(
      state === "COMPLETE" && attempts.length === 1,
      `a run ended as ${state} after ${attempts.length} attempts`,
    );
  }
}

/** The folder of a running job is deleted: the run ends with a reason or retries the job; others are unaffected. */
export async function deletedFolder(site) {
  await site.start();
  const [runId, other] = [await site.run("sleep 3; echo done >left.txt"), await site.run("sleep 3; echo done")];
  await site.untilRunning(runId);
  // The job may still be starting, and create a file in a folder that was empty a moment ago.
  for (const folder of site.attemptFolders(runId)) rmSync(folder, { recursive: true, maxRetries: 10 });
  const { state, state_reason: reason } = await site.untilFinal(runId);
  site.expect(state === "COMPLETE" || reason !== null, `the run ended as ${state} without a reason`);
  site.expect((await site.untilFinal(other)).state === "COMPLETE", "another run did not complete");
  const { job_id: jobId } = await site.job(runId);
  const log = await site.statusOf(`/api/runs/${runId}/jobs/${jobId}/log?stream=stdout`);
  site.expect(log === 200 || log === 404, `a request for its log got the answer ${log}`);
}

/** A job with a missing program fails and reports the reason. */
export async function missingProgram(site) {
  await site.start();
  const runId = await site.run("x", { tool: "missing" });
  const { state, state_reason: reason } = await site.untilFinal(runId);
  site.expect(
    state === "EXECUTOR_ERROR" && /127/.test(reason.message),
    `the run ended as ${state}: ${reason?.message}`,
  );
  site.expect(
    (await site.untilFinal(await site.run("echo next"))).state === "COMPLETE",
    "the next run did not complete",
  );
}

/** If the launcher cannot be executed, no job can start; each reports the reason, and the server keeps running. */
export async function missingLauncher(site) {
  await site.start(without(LAUNCHERS));
  for (const id of [await site.run("echo one"), await site.run("echo two")]) {
    const { state: ended, state_reason: reason } = await site.untilFinal(id);
    const isReported = reason?.code === "SUBMIT_REJECTED" && /weft-exec/.test(reason.message);
    site.expect(ended === "SYSTEM_ERROR" && isReported, `a run ended as ${ended}: ${reason?.message}`);
  }
  site.expect((await site.statusOf("/readyz")) === 200, "the server is no longer ready");
}

function without(programs) {
  const hide = programs.map((path) => `mount --bind /dev/null "${path}"`).join(" && ");
  return { before: ["unshare", "--mount", "sh", "-c", `${hide} && exec "$@"`, "hide"] };
}

/** A suspended server (a suspended machine, a debugger) declares no job lost and starts none twice. */
export async function stoppedServer(site) {
  await site.start();
  const marks = join(site.folder, "marks");
  const scripts = ["sleep 1", "sleep 4"].map((script) => `echo begin >>${marks}; ${script}; echo end >>${marks}`);
  const ids = [await site.run(scripts[0]), await site.run(scripts[1])];
  for (const id of ids) await site.untilRunning(id);
  process.kill(site.server.pid, "SIGSTOP");
  const posting = site.run("echo posted meanwhile");
  await pause(PAUSE_MS);
  process.kill(site.server.pid, "SIGCONT");
  for (const id of [...ids, await posting]) {
    const { state } = await site.untilFinal(id);
    site.expect(state === "COMPLETE", `a run ended as ${state}`);
    site.expect((await site.job(id)).attempts.length === 1, "a job was tried twice");
  }
  site.expect(linesOf(marks).length === 4, `the scripts wrote ${linesOf(marks).length} marks, not 4`);
}

/** Process ids of the children of a process that run a program of that name. */
function childrenOf(parent, name) {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter(
      (pid) =>
        statOf(pid).startsWith(`${pid} (${name}) `) && statOf(pid).split(") ")[1]?.split(" ")[1] === String(parent),
    )
    .map(Number);
}

/** Reads a file of a process; empty if the process has ended in the meantime. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}

/** The process id in the claim of a record. */
function claimOf(record) {
  return Number(/^pid (\d+)$/m.exec(record)[1]);
}
