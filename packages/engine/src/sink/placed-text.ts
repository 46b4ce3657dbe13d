import { digestOf } from "../files/hash-file.ts";
import type { Placement } from "./plan-placements.ts";

/** A text next to an output. */
export function placedText(of: Placement, name: string, text: string): Placement {
  const { sha1, sizeBytes } = digestOf(Buffer.from(text));
  const path = [...of.path.slice(0, -1), name];
  const file = { location: of.file?.location ?? "", text, checksum: sha1, size: sizeBytes };
  return { ...of, path, file, whole: { path, location: undefined } };
}
