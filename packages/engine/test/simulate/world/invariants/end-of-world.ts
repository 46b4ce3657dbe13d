import { fileURLToPath } from "node:url";
import { hash } from "node:crypto";
import type { Execution } from "../../backends/programs.ts";
import { ForeignFiles } from "../../backends/foreign-files.ts";
import { expectedText } from "../documents.ts";
import { Violation } from "../violation.ts";
import { FOLLOWER_TEXT } from "../automation/plan-automation.ts";
import { checkCopies } from "./copied-outputs.ts";
import { followersIn } from "./followed-runs.ts";
import type { World } from "../world.ts";
import type { LogWatch } from "./log-watch.ts";
import { checkReplay } from "./replay.ts";

/** Folding the log again takes a quarter of the time of a world, so only one world in this number does. */
const REPLAYED = 16;
/** The smallest limit in a plan: a program that took longer may have exceeded its own. */
const SHORTEST_LIMIT_MS = 5000;

/** Checks, before a program begins, that the attempt may run. */
export function checkBeginning(execution: Execution, earlier: readonly Execution[], log: LogWatch): void {
  const { runId, jobId, attempt, where, isStray } = execution;
  const name = `${jobId}@${attempt} at ${where}`;
  if (isStray || earlier.some((other) => other.isStray || other.isForgotten)) return;
  if (earlier.some((other) => other.attempt === attempt)) log.breaks("each attempt runs at most once", name);
  const other = earlier.find(({ isLive }) => isLive);
  if (other !== undefined) log.breaks("attempts of a job never run together", `${name}, while ${other.attempt} runs`);
  if (earlier.some((one) => hasSucceeded(one, log.failureOf(one))))
    log.breaks("what has succeeded does not run again", name);
  if (log.hasEnded(runId)) log.breaks("nothing starts after the end of a run", name);
  if (log.hasEnded(`${runId}/${jobId}`)) log.breaks("nothing starts after the end of a job", name);
}

/** Whether it must not run again. */
function hasSucceeded({ recorded, beganMs, endedMs }: Execution, failure: string | undefined): boolean {
  if (recorded !== 0 || failure === "DISK_FULL") return false;
  return failure !== "TIME_LIMIT" || endedMs - beganMs < SHORTEST_LIMIT_MS;
}

/** Codes of failures that programs and clusters explain, and those that a full disk explains. */
const EXPLAINED = new Set(["TOOL_EXIT", "TIME_LIMIT", "BACKEND_LOST", "NODE_FAIL", "PREEMPTED", "ABORTED"]);
const OF_FULL_DISK = new Set([
  "DISK_FULL",
  "STAGE_IN",
  "STAGE_OUT",
  "MISSING_OUTPUT",
  "SUBMIT_REJECTED",
  "OUTPUT_INVALID",
]);

/** Every failure has a reason in this world. */
function checkReasons({ database, plan, decisions }: World): void {
  const rows = database.database.prepare("SELECT job_id, state, reason ->> '$.code' AS code, reason FROM jobs").all();
  const hasFault = decisions.faults.some((fault) => !HARMLESS.test(fault));
  for (const { job_id: jobId, state, code, reason } of rows) {
    if (state === "COMPLETE" || code === null) continue;
    const isExplained = EXPLAINED.has(String(code)) || (plan.diskFull !== undefined && OF_FULL_DISK.has(String(code)));
    if (!isExplained || (!hasFault && !HARMLESS_CODES.has(String(code))))
      throw new Violation("a job fails only for a reason", `${jobId} ended as ${state}: ${reason}`);
  }
}

/** Choices that are named as faults only to make worlds smaller. */
const HARMLESS = /^(?:run|run\.text|run\.paused|clock-set|database-locked)#/;
/** A program may take longer than its tool allows; another one may be canceled because of that. */
const HARMLESS_CODES = new Set(["TIME_LIMIT", "ABORTED"]);

/** When every run has ended and everything works. */
export function checkEnd(world: World): void {
  const { log, server, machine } = world;
  const [lost] = log.lost();
  if (lost !== undefined) throw new Violation("acknowledged data is never lost", lost);
  for (const { run, runId } of world.clients) {
    if (runId === undefined || !log.hasEnded(runId)) throw new Violation("every run ends", run.key);
    if (log.stateOf(runId) === "COMPLETE") checkOutputs(world, runId, expectedText(run.network, run.texts));
  }
  checkCopies(world);
  checkStarted(world);
  const followers = world.automation === undefined ? [] : followersIn(world.database.database);
  for (const runId of followers)
    if (log.stateOf(runId) === "COMPLETE") checkOutputs(world, runId, expectedText("chain", [FOLLOWER_TEXT]));
  const requests = world.clients.length + (world.automation?.watch.runs.size ?? 0) + followers.length;
  if (requests !== log.endedRuns().length)
    throw new Violation("one request is one run", `${log.endedRuns().length} runs for ${requests} requests`);
  if (world.seed % REPLAYED === 0) checkReplay(world.database.database);
  checkReasons(world);
  const { usage } = server?.scheduler ?? {};
  const held = usage === undefined ? 0 : usage.running + usage.waiting + usage.cores + usage.ramMib;
  if (held !== 0) throw new Violation("nothing is held after the end", JSON.stringify(usage));
  const [open] = machine.files.openPaths;
  if (open !== undefined) throw new Violation("no file stays open", open);
}

/** The runs of automations. Files that changed meanwhile may have been read before or afterwards. */
function checkStarted(world: World): void {
  const { plan, automation, log } = world;
  if (automation === undefined) return;
  const mayChange = plan.automation?.samples.some(({ againAfterMs }) => againAfterMs !== undefined) ?? false;
  for (const [runId, samples] of automation.watch.runs)
    if (log.stateOf(runId) === "COMPLETE")
      checkOutputs(world, runId, mayChange ? undefined : automation.folder.text.repeat(samples));
}

interface RecordedFile {
  readonly location: string;
  readonly checksum: string;
}

/** The outputs are where the log says, with the content that they should have. */
function checkOutputs({ database, machine }: World, runId: string, expected?: string): void {
  const files = new ForeignFiles(machine);
  const row = database.database
    .prepare("SELECT text FROM blobs JOIN runs ON runs.outputs = blobs.digest WHERE runs.run_id = ?")
    .get(runId);
  const { said } = JSON.parse(String(row?.["text"] ?? "{}")) as { said: RecordedFile | readonly RecordedFile[] }; // as recorded
  const outputs = [said].flat();
  const texts = outputs.map(({ location, checksum }) => {
    const path = location.replace(/^weft-data:\/\/runs/, "/state/runs").replace(/^file:\/\//, "");
    const text = files.text(fileURLToPath(`file://${path}`));
    if (text === undefined) throw new Violation("acknowledged data is never lost", `${location} is not there`);
    if (checksum !== `sha1$${hash("sha1", text)}`)
      throw new Violation("acknowledged data is never lost", `${location} does not match its checksum`);
    return text;
  });
  if (expected !== undefined && texts.join("") !== expected)
    throw new Violation(
      "results are right",
      `${runId}: ${JSON.stringify(texts.join(""))}, not ${JSON.stringify(expected)}`,
    );
}
