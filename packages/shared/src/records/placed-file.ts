import { z } from "zod";
import { bytesSchema } from "./primitives.ts";

/** A file of an output, and the destination that it was copied to. */
export const placedFileSchema = z
  .object({
    output: z.string(),
    sample_id: z.string().nullable(),
    uri: z.string().meta({ description: "`vfs://ROOT/path`, percent-encoded" }),
    checksum: z.string().meta({ description: "`sha1$…` checksum of the file at the destination" }),
    size: bytesSchema,
  })
  .meta({ id: "PlacedFile" });
export type PlacedFile = z.infer<typeof placedFileSchema>;
