import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Job, JobAttempt } from "@weft/shared/records/job-record.ts";
import type { ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { redactText } from "./redact-text.ts";
import type { Redaction } from "./redact-text.ts";
import { safeImage } from "./safe-tool.ts";

/** Their sentences are made of numbers and our own words. */
const OUR_OWN: ReadonlySet<ReasonCode> = new Set(["TOOL_EXIT", "TIME_LIMIT", "OUT_OF_MEMORY", "ABORTED", "PREEMPTED"]);

export interface SafeParts {
  readonly inputs: CwlObject;
  readonly outputs: CwlObject | null;
  readonly container: JobContainer | null;
  /** Bytes by stream. */
  readonly logs: Readonly<Record<string, number>>;
}

/** Of a job's record what is named here, and nothing else. Durations, but no times of day: they could be looked up. */
export function safeRecord(job: Job, redaction: Redaction, { inputs, outputs, container, logs }: SafeParts) {
  const { state, phase, attempt, exit_code, signal, timing, resources, tool } = job;
  return {
    step: job.step,
    has_sample: job.sample_id !== null,
    scatter_dimensions: job.scatter_index.length,
    tool: { id: tool.id, version: tool.version, class: tool.class },
    state,
    phase,
    state_reason: safeReason(job.state_reason, redaction),
    attempt,
    attempts: job.attempts.map((each) => safeAttempt(each, redaction)),
    exit_code,
    signal,
    timing: { queued_ms: timing.queued_ms, running_ms: timing.running_ms },
    resources,
    backend: job.backend.kind,
    container: safeContainer(container, redaction),
    inputs,
    outputs,
    log_bytes: logs,
  };
}

function safeAttempt({ attempt, state, state_reason, exit_code, signal, used }: JobAttempt, redaction: Redaction) {
  return { attempt, state, state_reason: safeReason(state_reason, redaction), exit_code, signal, used };
}

function safeReason(
  reason: StateReason | null,
  redaction: Redaction,
): Pick<StateReason, "code" | "message" | "hint"> | null {
  if (reason === null) return null;
  const { code, message, hint } = reason;
  const told = (text: string) => (OUR_OWN.has(code) ? text : redactText(text, redaction));
  return { code, message: told(message), ...(hint === undefined ? {} : { hint: told(hint) }) };
}

function safeContainer(container: JobContainer | null, redaction: Redaction): JobContainer | null {
  if (container === null) return null;
  const image = safeImage(container.image);
  return container.engine === "none"
    ? { ...container, image, why: redactText(container.why, redaction) }
    : { ...container, image };
}
