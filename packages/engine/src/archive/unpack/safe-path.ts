import { Refusal } from "@weft/shared/records/refusal.ts";

/** In bytes, as nearly every file system has it. */
const LONGEST_SEGMENT = 255;
const LONGEST_PATH = 2048;

/**
 * A name from an archive as a relative path that stays below the folder it is unpacked to, on every system. Refuses
 * `invalid-crate` any other: nobody packs such a name by accident.
 */
export function safePath(name: string): string {
  const segments = name.replace(/\/$/, "").split("/");
  if (name.length > LONGEST_PATH || !segments.every(isSafe))
    throw new Refusal(
      "invalid-crate",
      `The archive has an entry ${JSON.stringify(name.slice(0, 200))}, which could lie outside of it.`,
    );
  return segments.join("/");
}

function isSafe(segment: string): boolean {
  if (segment === "" || segment === "." || segment === ".." || Buffer.byteLength(segment) > LONGEST_SEGMENT)
    return false;
  // Drives, streams and separators of other systems; control characters.
  return !/[\\\0-\x1f\x7f]/.test(segment) && !/^[a-z]:/i.test(segment);
}
