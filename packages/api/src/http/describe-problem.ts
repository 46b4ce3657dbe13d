import { createLinks } from "@weft/shared/links.ts";
import { PROBLEMS } from "@weft/shared/records/problem.ts";
import type { Problem, Refusal } from "@weft/shared/records/problem.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** An answer that says why a request was refused, complete but for the security headers. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

export interface ProblemContext {
  /** Base address of links, without a trailing slash. */
  readonly base: string;
  readonly requestId: string;
  /** Path of the request, without its query. */
  readonly instance: string;
}

const RETRY_AFTER_S: ReadonlyMap<number, string> = new Map([
  [429, "1"],
  [503, "10"],
]);

/** Turns a refusal into its RFC 9457 answer; status and title come from the one table of problems. */
export function describeProblem(refusal: Refusal, { base, requestId, instance }: ProblemContext): ProblemAnswer {
  const { status, title } = PROBLEMS[refusal.code];
  const retryAfter = RETRY_AFTER_S.get(status);
  return {
    status,
    headers: { ...(retryAfter === undefined ? {} : { "Retry-After": retryAfter }), ...refusal.headers },
    body: {
      type: createLinks(base).problem(refusal.code),
      title,
      status,
      detail: refusal.message,
      instance,
      code: refusal.code,
      request_id: requestId,
      errors: [...refusal.errors],
    },
  };
}
