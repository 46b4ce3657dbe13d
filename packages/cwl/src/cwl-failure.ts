/** Why a process could not continue; the codes are those of a run's `state_reason`. */
export type CwlFailureCode =
  | "EXPRESSION"
  | "INPUT_INVALID"
  | "LIMIT_EXCEEDED"
  | "MISSING_OUTPUT"
  | "OUTPUT_INVALID"
  | "STAGE_IN"
  | "UNSUPPORTED";

/**
 * Thrown by functions that evaluate a process against values; the supervisor of a job turns it into an outcome.
 * `place` names the part of the document or of the value (`steps.smooth.in.fwhm.valueFrom`, `outputs.report`).
 */
export class CwlFailure extends Error {
  readonly code: CwlFailureCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: CwlFailureCode, message: string, details: { place?: string; hint?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CwlFailure";
    this.code = code;
    this.place = details.place;
    this.hint = details.hint;
  }
}
