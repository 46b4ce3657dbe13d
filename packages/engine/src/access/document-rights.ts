import { existsSync, readFileSync } from "node:fs";
import { hash } from "node:crypto";
import { join } from "node:path";

/**
 * Whether a principal may read the files of a WES document: somebody has approved it, or they have sent it themselves.
 * Reads the folder of WES documents, because other threads ask, too. `name`: the document's folder.
 */
export function mayReadDocument(wesDocuments: string, name: string, principal: string): boolean {
  const folder = join(wesDocuments, name);
  if (readRecord(join(folder, "approval.json")) !== undefined) return true;
  return readRecord(join(folder, "document.json"))?.["added_by"] === principal || hasSent(folder, principal);
}

/** True if a principal has sent a document that already existed. */
export function hasSent(folder: string, principal: string): boolean {
  return existsSync(join(folder, senderMark(principal)));
}

/** The name of the empty file that marks a sender. */
export function senderMark(principal: string): string {
  return `sent-by-${hash("sha256", principal).slice(0, 32)}`;
}

function readRecord(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof record === "object" && record !== null ? { ...record } : undefined;
  } catch {
    // A missing or damaged record permits nothing.
    return undefined;
  }
}
