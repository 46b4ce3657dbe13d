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

/** Thrown if there is nothing to verify, or this version cannot verify it: the message says why and what to do. */
export class VerifyRefused extends Error {}

export function findingText({ subject, detail }: Finding): string {
  return `${subject}: ${detail}`;
}
