import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

const LONGEST_PATH = 2048;

/**
 * A name from an archive as a relative path that stays below the target folder on every system. Refuses `invalid-crate`
 * for any other name, because no packer creates such a name by accident.
 */
export function safePath(name: string): string {
  const segments = name.replace(/\/$/, "").split("/");
  if (name.length > LONGEST_PATH || !segments.every(isSafe))
    throw new Refusal(
      "invalid-crate",
      `The archive contains the entry ${JSON.stringify(name.slice(0, 200))}, which could be unpacked outside its folder.`,
    );
  return segments.join("/");
}

function isSafe(segment: string): boolean {
  if (segment === "" || segment === "." || segment === ".." || Buffer.byteLength(segment) > MAX_NAME_BYTES)
    return false;
  // Drive letters, alternate streams and separators of other systems; control characters.
  return !/[\\\0-\x1f\x7f]/.test(segment) && !/^[a-z]:/i.test(segment);
}
