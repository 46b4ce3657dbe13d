import { hash } from "node:crypto";
import type { HashedText } from "@weft/engine/port/route-methods.ts";
import type { JsonTextAnswer } from "./route-handler.ts";

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

/** An answer from JSON text that was built elsewhere, with its digest in base64url. */
export function hashedAnswer({ bytes, sha256 }: HashedText): JsonTextAnswer {
  return { status: 200, json: bytes, entityTag: digestEntityTag(sha256) };
}

function digestEntityTag(sha256: string): string {
  return `W/"${sha256.slice(0, 22)}"`;
}
