import type { DatabaseSync } from "node:sqlite";
import { textDigest } from "../../files/hash-file.ts";
import { eventText } from "./verify-events.ts";
import type { HashedEvent } from "./verify-events.ts";
import type { Finding } from "./finding.ts";

/** Documents, input and output objects: each stands under the digest of its text. */
export function* verifyDocuments(db: DatabaseSync): Generator<Finding | undefined> {
  for (const { digest, text } of db.prepare("SELECT digest, text FROM blobs").iterate()) {
    const isWhole = textDigest(String(text)) === digest;
    yield isWhole
      ? undefined
      : { kind: "document-changed", subject: `document ${String(digest)}`, detail: "its text was changed" };
  }
}

/** The documents that an event names must be there. */
export function* findMissingDocuments(
  event: HashedEvent,
  data: Readonly<Record<string, unknown>>,
  has: (digest: string) => boolean,
): Generator<Finding> {
  for (const field of ["document", "inputs", "outputs", "events", "folded"]) {
    const digest = data[field];
    if (typeof digest !== "string" || has(digest)) continue;
    yield {
      kind: "document-missing",
      subject: `document ${digest}`,
      detail: `is gone; it is the field ${field} of ${eventText(event)}`,
    };
  }
}
