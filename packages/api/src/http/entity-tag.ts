import { hash } from "node:crypto";

/** Weak tag of one revision of a run: comparing it requires no building or hashing. */
export function runEntityTag(runId: string, revision: number): string {
  return `W/"${runId}-${revision}"`;
}

/** The revision of this run that the client has according to its `If-None-Match`; undefined if it has none. */
export function knownRevision(ifNoneMatch: string, runId: string): number | undefined {
  const tag = ifNoneMatch
    .split(",")
    .map((text) => text.trim())
    .find((text) => text.startsWith(`W/"${runId}-`));
  const revision = Number(tag?.slice(`W/"${runId}-`.length, -1));
  return tag !== undefined && Number.isSafeInteger(revision) ? revision : undefined;
}

/** The weak entity tag of a response text. */
export function textEntityTag(text: string): string {
  return digestEntityTag(hash("sha256", text, "base64url"));
}

/** Weak tag of an answer whose SHA-256 is known. The digest is in base64url. */
export function digestEntityTag(sha256: string): string {
  return `W/"${sha256.slice(0, 22)}"`;
}
