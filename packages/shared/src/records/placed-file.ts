import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { bytesSchema } from "./primitives.ts";

/** A file of an output, and the destination that it was copied to. */
export const placedFileSchema = namedObject("PlacedFile", {
  output: z.string(),
  sample_id: z.string().nullable(),
  uri: z.string().describe("`vfs://ROOT/path`, percent-encoded"),
  checksum: z.string().describe("`sha1$…` checksum of the file at the destination"),
  size: bytesSchema,
});
export type PlacedFile = z.infer<typeof placedFileSchema>;
