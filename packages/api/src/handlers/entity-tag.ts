import { hash } from "node:crypto";

/** Weak tag of a run in one of its revisions: nothing has to be built or hashed to compare it. */
export function runEntityTag(runId: string, revision: number): string {
  return `W/"${runId}-${revision}"`;
}

/** The revision that a client says it knows of this run; undefined when it knows none. */
export function knownRevision(ifNoneMatch: string, runId: string): number | undefined {
  const tag = ifNoneMatch
    .split(",")
    .map((text) => text.trim())
    .find((text) => text.startsWith(`W/"${runId}-`));
  const revision = Number(tag?.slice(`W/"${runId}-`.length, -1));
  return tag !== undefined && Number.isSafeInteger(revision) ? revision : undefined;
}

/**
 * Weak tag of a record by its content. A catalog record carries more than its document (statistics, who uses it, other
 * versions), so the digest of the document alone would keep old numbers alive.
 */
export function contentEntityTag(record: unknown): string {
  return `W/"${hash("sha256", JSON.stringify(record), "base64url").slice(0, 22)}"`;
}
