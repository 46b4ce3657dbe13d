import { fileURLToPath } from "node:url";
import { hash } from "node:crypto";
import type { Execution } from "../../backends/programs.ts";
import { ForeignFiles } from "../../backends/foreign-files.ts";
import { expectedText } from "../documents.ts";
import { Violation } from "../violation.ts";
import type { World } from "../world.ts";
import type { LogWatch } from "./log-watch.ts";
import { checkReplay } from "./replay.ts";

/** The smallest limit in a plan: a program that took longer may have exceeded its own. */
const SHORTEST_LIMIT_MS = 5000;

/** Before a program begins. */
export function checkBeginning(execution: Execution, earlier: readonly Execution[], log: LogWatch): void {
  const { runId, jobId, attempt, where, isStray } = execution;
  const name = `${jobId}@${attempt} at ${where}`;
  if (isStray || earlier.some((other) => other.isStray)) return;
  if (earlier.some((other) => other.attempt === attempt)) log.breaks("each attempt runs at most once", name);
  const other = earlier.find(({ isLive }) => isLive);
  if (other !== undefined) log.breaks("attempts of a job never run together", `${name}, while ${other.attempt} runs`);
  if (earlier.some((one) => hasSucceeded(one, log.lastFailure(`${runId}/${jobId}`))))
    log.breaks("what has succeeded does not run again", name);
  if (log.hasEnded(runId)) log.breaks("nothing starts after the end of a run", name);
  if (log.hasEnded(`${runId}/${jobId}`)) log.breaks("nothing starts after the end of a job", name);
}

/** Whether it must not run again. */
function hasSucceeded({ recorded, beganMs, endedMs }: Execution, failure: string | undefined): boolean {
  if (recorded !== 0 || failure === "DISK_FULL") return false;
  return failure !== "TIME_LIMIT" || endedMs - beganMs < SHORTEST_LIMIT_MS;
}

/** When every run has ended and everything works. */
export function checkEnd(world: World): void {
  const { log, server, machine } = world;
  const [lost] = log.lost();
  if (lost !== undefined) throw new Violation("acknowledged data is never lost", lost);
  for (const { run, runId } of world.clients) {
    if (runId === undefined || !log.hasEnded(runId)) throw new Violation("every run ends", run.key);
    if (log.stateOf(runId) === "COMPLETE") checkOutputs(world, runId, expectedText(run.network, run.texts));
  }
  if (world.clients.length !== log.endedRuns().length)
    throw new Violation(
      "one request is one run",
      `${log.endedRuns().length} runs for ${world.clients.length} requests`,
    );
  // When the clock is set, keys move along so that they live as long as they should; no event says so.
  checkReplay(world.database.database, world.plan.clockSet === undefined ? [] : ["idempotency"]);
  const { usage } = server?.scheduler ?? {};
  const held = usage === undefined ? 0 : usage.running + usage.waiting + usage.cores + usage.ramMib;
  if (held !== 0) throw new Violation("nothing is held after the end", JSON.stringify(usage));
  const [open] = machine.files.openPaths;
  if (open !== undefined) throw new Violation("no file stays open", open);
}

interface RecordedFile {
  readonly location: string;
  readonly checksum: string;
}

/** The outputs are where the log says, with the content that they should have. */
function checkOutputs({ database, machine }: World, runId: string, expected: string): void {
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
      throw new Violation("acknowledged data is never lost", `${location} has another content than its checksum says`);
    return text;
  });
  if (texts.join("") !== expected)
    throw new Violation(
      "results are right",
      `${runId}: ${JSON.stringify(texts.join(""))}, not ${JSON.stringify(expected)}`,
    );
}
