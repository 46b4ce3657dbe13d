import { z } from "zod";
import { PROCESS_KINDS } from "./draft-record.ts";
import { catalogIdSchema, versionSchema } from "./primitives.ts";

/** The body of POST /api/commits. */
export const commitVersionsSchema = z
  .strictObject({
    versions: z
      .array(z.strictObject({ kind: z.enum(PROCESS_KINDS), id: catalogIdSchema, version: versionSchema }))
      .min(1)
      .max(2000)
      .meta({ description: "Published versions" }),
  })
  .meta({ id: "CommitVersions" });
export type CommitVersions = z.infer<typeof commitVersionsSchema>;

export const commitResultSchema = z
  .object({
    state: z
      .enum(["committed", "unchanged", "failed"])
      .meta({ description: "`unchanged`: they were committed before" }),
    commit: z.string().nullable().meta({ description: "Name of the commit; null: there is none" }),
    paths: z.array(z.string()).meta({ description: "The committed paths, below the catalog folder" }),
    output: z.string().meta({ description: "The output of git" }),
  })
  .meta({ id: "CommitResult" });
export type CommitResult = z.infer<typeof commitResultSchema>;
