import { checkLine, type ChainEnd } from "./audit-chain.ts";
import { listSegments, readLines } from "./audit-folder.ts";

/** Facts about an intact chain, or the first place where it is broken. */
export type AuditCheck =
  | { readonly kind: "whole"; readonly entries: number; readonly first: number; readonly end: ChainEnd }
  | { readonly kind: "empty" }
  | { readonly kind: "broken"; readonly place: string; readonly fault: string };

/**
 * Reads an audit log from its oldest file on, and checks that each entry is unchanged and follows the previous one.
 * Older files may have been moved elsewhere. Only someone who knows the last hash can notice that the end was cut off.
 */
export async function checkAuditLog(folder: string): Promise<AuditCheck> {
  let first: number | undefined;
  let end: ChainEnd | undefined;
  for (const name of await listSegments(folder)) {
    for (const [index, line] of (await readLines(folder, name)).entries()) {
      const entry = checkLine(line, end);
      if (typeof entry === "string") return { kind: "broken", place: `${name}:${index + 1}`, fault: entry };
      first ??= entry.seq;
      end = { seq: entry.seq, hash: entry.hash };
    }
  }
  if (first === undefined || end === undefined) return { kind: "empty" };
  return { kind: "whole", entries: end.seq - first + 1, first, end };
}
