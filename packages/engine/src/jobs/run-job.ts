import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { ExpressionTool } from "@weft/cwl/model/process.ts";
import { runExpressionTool } from "@weft/cwl/outputs/run-expression-tool.ts";
import { recordBeginning, untilWell } from "../journal/record-beginning.ts";
import { closeSecrets } from "./close-secrets.ts";
import {
  canceledEnd,
  endedEvent,
  failedEnd,
  lateEvent,
  NOTHING_KNOWN,
  retryingEvent,
  startedEvent,
} from "./job-events.ts";
import type { Ended, JobEnd, JobIdentity } from "./job-events.ts";
import type { Job, JobControl, JobOutcome, Retrying } from "./job.ts";
import { runCommand } from "./run-command.ts";
import type { CommandServices } from "./run-command.ts";
import type { RunLog } from "../journal/run-log.ts";

/**
 * The supervisor of one job: runs it to its end and records that end. Whatever goes wrong on the way becomes an outcome;
 * only a journal that cannot be written is an error.
 */
export async function runJob(job: Job, services: CommandServices, control: JobControl): Promise<JobOutcome | Retrying> {
  const end = closeSecrets(job, await execute(job, services, control), services.secrets.of(job.runId));
  const delayMs = delayAfter(job, end, control);
  if (delayMs !== undefined) return recordRetry(job, end, { delayMs, services });
  return recordEnd(job, { ...end, reusable: await keep(job, end, control) }, services);
}

async function keep(job: Job, { outcome, made }: JobEnd, { keepResult }: JobControl) {
  if (outcome.status !== "success" || made === undefined) return undefined;
  return keepResult(job, { outputs: outcome.outputs, ...made });
}

function delayAfter({ attempt, resources }: Job, { outcome, isTemporary = false }: JobEnd, control: JobControl) {
  if (outcome.status !== "failed" || control.signal.aborted) return undefined;
  return control.retryDelayMs({ attempt, code: outcome.reason.code, isTemporary, ramMib: resources.ramMin });
}

async function recordRetry(
  job: Job,
  end: JobEnd,
  { delayMs, services }: { readonly delayMs: number; readonly services: RunLog },
): Promise<JobOutcome | Retrying> {
  const { outcome } = end;
  if (outcome.status !== "failed") return outcome;
  const [recorded] = await services.journal.append([retryingEvent(job, { ...end, outcome }, delayMs)]);
  if (recorded !== null) return { status: "retrying", code: outcome.reason.code, delayMs };
  await services.journal.append([lateEvent(job, end)]);
  return outcome;
}

/** A job that could not even be prepared ends like any other. */
export function recordFailedJob(job: JobIdentity, error: unknown, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, failedEnd(error, "STAGE_IN"), services);
}

const LOST_END = {
  outcome: {
    status: "failed",
    state: "SYSTEM_ERROR",
    reason: {
      code: "BACKEND_LOST",
      message: "the server was restarted, and what this attempt had begun is gone",
      hint: "something outside Weft ended its processes, or the machine went down; run again",
    },
  },
  ...NOTHING_KNOWN,
} as const;

/** An attempt that ended with the server that had begun it; the next one follows at once. */
export async function recordLostAttempt(job: JobIdentity & Pick<Job, "attempt">, services: RunLog): Promise<undefined> {
  await services.journal.append([retryingEvent(job, LOST_END, 0)]);
}

/** The same of the last attempt that the job has. */
export function recordLostJob(job: JobIdentity, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, LOST_END, services);
}

/** Puts the end of a job on record and answers its outcome. */
export async function recordEnd(job: JobIdentity, end: Ended, services: RunLog): Promise<JobOutcome> {
  const event = endedEvent(job, end, services);
  const [recorded] = await services.journal.append([event]);
  // The run was final already: what came late is a fact about the job and changes nothing.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return end.outcome;
}

async function execute(job: Job, services: CommandServices, control: JobControl): Promise<JobEnd> {
  // What cannot be put on record is not begun: it would only fail for the same reason.
  if (!control.reattached) await untilWell(services.journal, control.signal);
  if (control.signal.aborted) return canceledEnd();
  switch (job.process.class) {
    case "CommandLineTool":
      return runCommand(job, job.process, { services, ...control });
    case "ExpressionTool":
      return evaluateTool(job, job.process, { services, ...control });
    case "Operation": {
      const { name } = job.process;
      return failedEnd(
        new CwlFailure("UNSUPPORTED", `${name} is an Operation: it has no implementation to run`),
        "STAGE_IN",
      );
    }
  }
}

async function evaluateTool(
  job: Job,
  tool: ExpressionTool,
  { services, signal }: Pick<JobControl, "signal"> & { readonly services: CommandServices },
): Promise<JobEnd> {
  const started = startedEvent(job, { command: null }, services);
  if (!(await recordBeginning([started], services.journal, signal))) return canceledEnd();
  try {
    const { requirements, evaluator, inputs } = job;
    const outputs = await runExpressionTool({ tool, requirements, inputs, evaluator, files: services.files });
    return { outcome: { status: "success", outputs }, ...NOTHING_KNOWN };
  } catch (error) {
    return failedEnd(error, "STAGE_OUT");
  }
}
