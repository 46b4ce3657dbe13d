// The server's clock changes while jobs run. The machine's real clock stays unchanged: the server gets its own Date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PRELOAD = fileURLToPath(new URL("./set-clock.mjs", import.meta.url));
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MS = 120_000;

/** A month forward, an hour back, and beyond the last second of 32-bit time. */
const JUMPS = [
  ["30 days forward", () => 30 * DAY_MS],
  ["an hour back", () => -HOUR_MS],
  ["to 2038", () => Date.UTC(2038, 0, 19, 3, 14, 8) - Date.now()],
];

/** No job is ended, retried or delayed, no duration is wrong, and an idempotency key still identifies its run. */
export async function setClock(site) {
  const file = join(site.folder, "clock");
  const set = (offsetMs) => writeFileSync(file, String(offsetMs));
  const process = { nodeArgs: ["--import", PRELOAD], env: { WEFT_CLOCK_FILE: file } };
  set(0);
  await site.start(process);
  const ids = [];
  for (const [name, offsetMs] of JUMPS) {
    const key = `key ${name}`.replaceAll(" ", "-");
    const runId = await site.run("sleep 1; echo done", { key });
    ids.push(runId);
    await site.untilRunning(runId);
    set(offsetMs());
    await judgeRun(site, runId, name);
    set(0);
    site.expect((await site.run("sleep 1; echo done", { key })) === runId, `${name}: a key started a second run`);
  }
  await judgeRetry(site, { set, process });
  const { runs } = await site.get("/api/runs?sort=created_at");
  const order = runs.map(({ run_id: id }) => id).filter((id) => ids.includes(id));
  site.expect(order.join() === ids.join(), "runs are not listed in the order in which they were posted");
}

async function judgeRun(site, runId, name) {
  const { state, duration_ms: durationMs } = await site.untilFinal(runId);
  const { attempts, timing } = await site.job(runId);
  site.expect(state === "COMPLETE" && attempts.length === 1, `${name}: ${state} after ${attempts.length} attempts`);
  for (const ms of [durationMs, timing.queued_ms, timing.running_ms])
    site.expect(ms >= 0 && ms < LONGEST_MS, `${name}: a reported duration is ${ms} ms`);
  const { events } = await site.get(`/api/runs/${runId}/events?page_size=500`);
  // Events after the end of a run come later, when the log follows the clock again.
  const end = events.findIndex(({ type }) => type === "run.ended");
  const times = events.slice(0, end + 1).map(({ time }) => time);
  site.expect(times.join() === times.toSorted().join(), `${name}: the times of its events go back`);
}

/** The delay before the next attempt has the right length, even across a restart with the clock set back. */
async function judgeRetry(site, { set, process }) {
  const runId = await site.run("exit 3", { options: { retries: 1 } });
  await site.until(runId, ({ job_counts: counts }) => counts.QUEUED === 1);
  set(-HOUR_MS);
  await site.server.stop("SIGKILL");
  await site.start(process);
  const { state, duration_ms: durationMs } = await site.untilFinal(runId);
  const { attempts } = await site.job(runId);
  site.expect(
    state === "EXECUTOR_ERROR" && attempts.length === 2,
    `a retry: ${state} after ${attempts.length} attempts`,
  );
  site.expect(durationMs >= 0 && durationMs < LONGEST_MS, `the reported duration of a retry is ${durationMs} ms`);
}
