import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { CwlFailureCode } from "@weft/cwl/cwl-failure.ts";
import type { StepFailure } from "@weft/cwl/workflow/advance.ts";
import { DamagedRecord } from "../journal/damaged-record.ts";
import type { JobState, ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import { errorText } from "../error-text.ts";

/** How a job ended, as a value: `state` is COMPLETE, EXECUTOR_ERROR (the tool's fault) or SYSTEM_ERROR (ours). */
export interface JobFailure {
  readonly state: Extract<JobState, "EXECUTOR_ERROR" | "SYSTEM_ERROR">;
  readonly reason: StateReason;
}

const CODES: Readonly<Record<CwlFailureCode, { readonly code: ReasonCode; readonly state: JobFailure["state"] }>> = {
  EXPRESSION: { code: "EXPRESSION", state: "EXECUTOR_ERROR" },
  INPUT_INVALID: { code: "STAGE_IN", state: "EXECUTOR_ERROR" },
  LIMIT_EXCEEDED: { code: "LIMIT_EXCEEDED", state: "EXECUTOR_ERROR" },
  MISSING_OUTPUT: { code: "MISSING_OUTPUT", state: "EXECUTOR_ERROR" },
  OUTPUT_INVALID: { code: "OUTPUT_INVALID", state: "EXECUTOR_ERROR" },
  STAGE_IN: { code: "STAGE_IN", state: "SYSTEM_ERROR" },
  UNSUPPORTED: { code: "ENGINE", state: "SYSTEM_ERROR" },
};

/** A failure reported by the language, as a run's state. */
export function fromCwlFailure(failure: CwlFailure): JobFailure {
  const { code, state } = CODES[failure.code];
  const place = failure.place === undefined ? "" : ` (${failure.place})`;
  return {
    state,
    reason: {
      code,
      message: `${failure.message}${place}`,
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
      ...(failure.place === undefined ? {} : { place: failure.place }),
    },
  };
}

/** Like `toFailure`, for failures before or between jobs. */
export function stepFailure({ code, message, place, step, hint }: StepFailure): JobFailure {
  const details = { ...(place === undefined ? {} : { place }), ...(hint === undefined ? {} : { hint }) };
  return fromCwlFailure(new CwlFailure(code, step === "" ? message : `step ${step}: ${message}`, details));
}

/** A failure of the machine while preparing or collecting files. */
export function fromSystemError(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobFailure {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return {
      state: "SYSTEM_ERROR",
      reason: {
        code: "DISK_FULL",
        message: `the disk is full (${errorText(error)})`,
        hint: "free space on the disk of the state folder, then run again",
      },
    };
  }
  if (typeof code === "string") return { state: "SYSTEM_ERROR", reason: { code: during, message: errorText(error) } };
  return { state: "SYSTEM_ERROR", reason: { code: "ENGINE", message: `internal error: ${errorText(error)}` } };
}

/** Ends a run that cannot continue, because of an internal error or unreadable records. */
export function brokenRun(error: unknown): JobFailure {
  // Its message already says what is missing.
  if (error instanceof CwlFailure) return fromCwlFailure(error);
  const failure = fromSystemError(error, "STAGE_IN");
  const { code, message } = failure.reason;
  const isDamaged = error instanceof DamagedRecord;
  if (!isDamaged && (code === "DISK_FULL" || code === "ENGINE")) return failure;
  const text = isDamaged ? error.message : `the run cannot continue (internal-corrupt): ${message}`;
  const hint = "its files in the state folder cannot be read; run again, and check the disk";
  return { state: "SYSTEM_ERROR", reason: { code: "ENGINE", message: text, hint } };
}

export function toFailure(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobFailure {
  return error instanceof CwlFailure ? fromCwlFailure(error) : fromSystemError(error, during);
}

/** The signal that a shell reports as 128 + signal. */
export function signalOf(exitCode: number): number | null {
  return exitCode > 128 && exitCode <= 192 ? exitCode - 128 : null;
}
