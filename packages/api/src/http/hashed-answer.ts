import type { HashedText } from "@weft/engine/port/route-methods.ts";
import { digestEntityTag } from "./entity-tag.ts";
import type { JsonTextAnswer } from "./route-handler.ts";

/** An answer from JSON text that was built elsewhere. */
export function hashedAnswer({ bytes, sha256 }: HashedText): JsonTextAnswer {
  return { status: 200, json: bytes, entityTag: digestEntityTag(sha256) };
}
