import { ExpectedError } from "../../error-text.ts";

/** A deviation from the record. */
export interface Finding {
  readonly kind:
    | "event-changed"
    | "event-missing"
    | "document-changed"
    | "document-missing"
    | "file-changed"
    | "file-missing"
    | "record-missing";
  /** Subject: `event 37 (job.ended of job smooth-1 of run …)`. */
  readonly subject: string;
  /** Description of the problem. */
  readonly detail: string;
}

/** Thrown if there is nothing to verify, or this version cannot verify it. */
export class VerifyRefused extends ExpectedError {}

export function findingText({ subject, detail }: Finding): string {
  return `${subject}: ${detail}`;
}
