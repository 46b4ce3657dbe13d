import type { ProblemError } from "./problem.ts";

// Separate from the schemas of problems, so that code that refuses need not load the schema library.

/**
 * Every refusal of the API: code → HTTP status and title. One table for the server, the documentation and the clients.
 * Bodies are RFC 9457 `application/problem+json`.
 */
export const PROBLEMS = {
  "malformed-request": { status: 400, title: "The request is malformed" },
  "malformed-json": { status: 400, title: "The body is not valid JSON" },
  "bad-request-target": { status: 400, title: "The request target or a header is invalid" },
  unauthorized: { status: 401, title: "Authentication required" },
  forbidden: { status: 403, title: "Not allowed" },
  "cross-origin": { status: 403, title: "The request comes from another site" },
  "not-found": { status: 404, title: "No such address" },
  "network-not-found": { status: 404, title: "No such network" },
  "tool-not-found": { status: 404, title: "No such tool" },
  "version-not-found": { status: 404, title: "No such version" },
  "run-not-found": { status: 404, title: "No such run" },
  "job-not-found": { status: 404, title: "No such job" },
  "document-not-found": { status: 404, title: "No such document" },
  "file-not-found": { status: 404, title: "No such file" },
  "method-not-allowed": { status: 405, title: "The method is not allowed here" },
  "not-acceptable": { status: 406, title: "No accepted representation is available" },
  "request-timeout": { status: 408, title: "The request did not arrive in time" },
  conflict: { status: 409, title: "The request conflicts with the current state" },
  "idempotency-key-reused": { status: 409, title: "The idempotency key was used with another body" },
  "file-pruned": { status: 410, title: "The file was removed" },
  "precondition-failed": { status: 412, title: "A precondition of the request failed" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "The media type of the body is not supported" },
  "range-not-satisfiable": { status: 416, title: "The range is outside the content" },
  "misdirected-request": { status: 421, title: "This server does not answer for that host name" },
  "invalid-parameters": { status: 422, title: "Invalid parameters" },
  "invalid-body": { status: 422, title: "Invalid body" },
  "invalid-inputs": { status: 422, title: "The inputs do not fit the process" },
  "invalid-crate": { status: 422, title: "The crate cannot be imported" },
  "invalid-document": { status: 422, title: "The CWL document has errors" },
  "unsupported-feature": { status: 422, title: "The document needs a feature that Weft lacks" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "headers-too-large": { status: 431, title: "The headers are too large" },
  "internal-error": { status: 500, title: "Internal error" },
  "login-unavailable": { status: 503, title: "Identity provider unavailable" },
  draining: { status: 503, title: "The server is shutting down" },
  "queue-full": { status: 503, title: "Too many runs are open" },
  "disk-full": { status: 503, title: "The disk is full" },
  "database-locked": { status: 503, title: "The database is locked by another program" },
  "state-read-only": { status: 503, title: "The state folder is read-only" },
  "storage-failed": { status: 503, title: "The disk has failed" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The refusal of any request that changes something while the disk of the state folder fails. */
export const STORAGE_PROBLEMS = [
  "disk-full",
  "database-locked",
  "state-read-only",
  "storage-failed",
] as const satisfies readonly ProblemCode[];

/** The refusals of a request for a version of a tool or network. */
export const PROCESS_PROBLEMS = [
  "tool-not-found",
  "network-not-found",
  "version-not-found",
] as const satisfies readonly ProblemCode[];

/** Thrown to refuse a request; the problem middleware turns it into a response. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ProblemError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: readonly ProblemError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.name = "Refusal";
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}
