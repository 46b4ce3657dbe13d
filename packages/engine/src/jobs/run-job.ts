import { fileURLToPath } from "node:url";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { CommandLineTool, ExpressionTool } from "@weft/cwl/model/process.ts";
import { runExpressionTool } from "@weft/cwl/outputs/run-expression-tool.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { recordBeginning, untilHealthy } from "../journal/record-beginning.ts";
import { filesOf } from "../values/map-files.ts";
import type { RunSecrets } from "../secrets/run-secrets.ts";
import { wipeJob } from "../secrets/wipe-job.ts";
import { canceledEnd, failedEnd, NOTHING_KNOWN, startedEvent } from "./job-events.ts";
import type { JobEnd } from "./job-events.ts";
import type { Job, JobTurn } from "./job.ts";
import { commandOf } from "./launch-command.ts";
import { prepareCommand } from "./prepare-command.ts";
import type { PrepareCommandServices, PreparedCommand } from "./prepare-command.ts";
import { runCommand } from "./run-command.ts";
import type { RunCommandServices } from "./run-command.ts";

export interface RunJobServices extends PrepareCommandServices, RunCommandServices {}

interface Context {
  readonly services: RunJobServices;
  readonly turn: JobTurn;
}

/** A job that can start immediately, or the reason why it cannot. */
export type ReadyJob =
  | { readonly kind: "command"; readonly tool: CommandLineTool; readonly prepared: PreparedCommand }
  | { readonly kind: "expression"; readonly tool: ExpressionTool }
  | { readonly kind: "over"; readonly end: JobEnd };

/**
 * Does everything that precedes the start of a job, whether or not it has its turn yet. The order makes a crash
 * harmless: folders and staging first (they can be repeated), then the intent in the log. Afterwards, `runJob` starts
 * the program, and the claim of its folder decides who runs it. Rejects only if the journal cannot be written.
 */
export async function readyJob(job: Job, { services, turn }: Context): Promise<ReadyJob> {
  const { process } = job;
  // Does not begin what cannot be recorded: it would only fail for the same reason.
  if (job.startedBefore === undefined) await untilHealthy(services.journal, turn.signal);
  if (turn.signal.aborted) return { kind: "over", end: canceledEnd() };
  switch (process.class) {
    case "CommandLineTool":
      return readyCommand(job, process, { services, turn });
    case "ExpressionTool":
      return { kind: "expression", tool: process };
    case "Operation": {
      const message = `${process.name} is an Operation: it has no implementation to run`;
      return { kind: "over", end: failedEnd(new CwlFailure("UNSUPPORTED", message), "STAGE_IN") };
    }
  }
}

async function readyCommand(job: Job, tool: CommandLineTool, { services, turn }: Context): Promise<ReadyJob> {
  const { signal } = turn;
  let prepared: PreparedCommand;
  try {
    prepared = await prepareCommand(job, tool, { services, signal });
  } catch (error) {
    // Stopping the run stops waiting for an image.
    return { kind: "over", end: signal.aborted ? canceledEnd() : failedEnd(error, "STAGE_IN") };
  }
  if (job.startedBefore === undefined) {
    const { plan, launch, container, sandbox } = prepared;
    const start = { command: commandOf(plan, launch), container, sandbox, isAhead: !turn.isGranted };
    await recordBeginning([startedEvent(job, start, services)], services.journal, signal);
  }
  return { kind: "command", tool, prepared };
}

/**
 * Runs a job that has its turn. Every failure becomes an outcome. The end is not recorded yet and contains no secrets.
 */
export async function runJob(job: Job, ready: ReadyJob, { services, turn }: Context): Promise<JobEnd> {
  return closeSecrets(job, await execute(job, ready, { services, turn }), services.secrets.of(job.runId));
}

function execute(job: Job, ready: ReadyJob, context: Context): JobEnd | Promise<JobEnd> {
  if (ready.kind === "over") return ready.end;
  if (context.turn.signal.aborted) return canceledEnd();
  return ready.kind === "command"
    ? runCommand(job, ready.tool, ready.prepared, context)
    : evaluateTool(job, ready.tool, context);
}

async function evaluateTool(job: Job, tool: ExpressionTool, { services, turn }: Context): Promise<JobEnd> {
  const started = startedEvent(job, { command: null }, services);
  if (!(await recordBeginning([started], services.journal, turn.signal))) return canceledEnd();
  try {
    const { requirements, evaluator, inputs } = job;
    const outputs = await runExpressionTool({ tool, requirements, inputs, evaluator, files: services.files });
    return { outcome: { status: "success", outputs }, ...NOTHING_KNOWN };
  } catch (error) {
    return failedEnd(error, "STAGE_OUT");
  }
}

/** Removes secrets from the texts of a job's end and from its folder, so that the end can be recorded. */
function closeSecrets(job: Pick<Job, "folder">, end: JobEnd, secrets: RunSecrets): JobEnd {
  if (secrets.isEmpty) return end;
  const { outcome, stderrTail } = end;
  const tail = stderrTail === undefined ? {} : { stderrTail: secrets.redact(stderrTail) };
  if (outcome.status === "success") {
    wipeJob(job.folder, new Set(pathsIn(outcome.outputs)));
    return { ...end, ...tail, outcome: { ...outcome, outputs: secrets.conceal(outcome.outputs) } };
  }
  wipeJob(job.folder);
  if (outcome.status === "canceled") return { ...end, ...tail };
  const reason = { ...outcome.reason, message: secrets.redact(outcome.reason.message) };
  return { ...end, ...tail, outcome: { ...outcome, reason } };
}

function pathsIn(outputs: CwlObject): readonly string[] {
  return filesOf(outputs).flatMap(({ file: { location } }) =>
    location?.startsWith("file:") === true ? [fileURLToPath(location)] : [],
  );
}
