import { createLinks } from "@weft/shared/links.ts";
import { errorFormAt, ga4ghStatus } from "./ga4gh-error.ts";
import { PROBLEMS, type Refusal } from "@weft/shared/records/refusal.ts";
import type { Problem, ProblemError } from "@weft/shared/records/problem.ts";
import { reportedErrors } from "@weft/shared/records/reported-errors.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** An answer that says why a request was refused, complete except for the security headers. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON: a problem, or below /ga4gh/ an error in the form of that standard. */
  readonly text: string;
}

export interface ProblemContext {
  /** Base address of links, without a trailing slash. */
  readonly base: string;
  readonly requestId: string;
  /** Path of the request, without its query. */
  readonly instance: string;
  /** Maximum number of errors listed in the answer. */
  readonly maxErrors: number;
}

const RETRY_AFTER_S: ReadonlyMap<number, string> = new Map([
  [429, "1"],
  [503, "10"],
]);

/** Turns a refusal into its RFC 9457 answer; status and title come from the one table of problems. */
export function describeProblem(
  refusal: Refusal,
  { base, requestId, instance, maxErrors }: ProblemContext,
): ProblemAnswer {
  const { status, title } = PROBLEMS[refusal.code];
  const retryAfter = RETRY_AFTER_S.get(status);
  const headers = { ...(retryAfter === undefined ? {} : { "Retry-After": retryAfter }), ...refusal.headers };
  const problem: Problem = {
    type: createLinks(base).problem(refusal.code),
    title,
    status,
    detail: shortText(refusal.message),
    instance,
    code: refusal.code,
    request_id: requestId,
    errors: reportedErrors(refusal.errors, maxErrors).map(shortError),
  };
  const form = errorFormAt(instance);
  if (form === undefined)
    return { status, headers: { ...headers, "Content-Type": PROBLEM_MEDIA_TYPE }, text: JSON.stringify(problem) };
  const formStatus = ga4ghStatus(status);
  const text = JSON.stringify(form.write(problem, formStatus));
  return { status: formStatus, headers: { ...headers, "Content-Type": "application/json; charset=utf-8" }, text };
}

const LONGEST_NAME = 200;
const LONGEST_TEXT = 4000;

/** Shortens very long names and addresses in a text, and then the text itself, in the middle. */
function shortText(text: string): string {
  const named = text.replaceAll(LONG_NAMES, (name) => withoutMiddle(name, LONGEST_NAME));
  return withoutMiddle(named, LONGEST_TEXT);
}

const LONG_NAMES = new RegExp(`\\S{${LONGEST_NAME + 1},}`, "g");

function withoutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  // A cut may split a character that takes two code units.
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

function shortError(error: ProblemError): ProblemError {
  const { detail, hint } = error;
  const short = { ...error, detail: shortText(detail), ...(hint === undefined ? {} : { hint: shortText(hint) }) };
  return withShortPointer(short);
}

const LONGEST_POINTER = 1000;

/** Replaces a very long pointer with that of the nearest enclosing value, so that it still points at something. */
function withShortPointer(error: ProblemError): ProblemError {
  const { pointer } = error;
  if (pointer === undefined || pointer.length <= LONGEST_POINTER) return error;
  const start = pointer.slice(0, LONGEST_POINTER + 1);
  return { ...error, pointer: start.slice(0, start.lastIndexOf("/")) };
}
