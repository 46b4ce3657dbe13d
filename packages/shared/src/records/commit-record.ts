import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { processVersionShape } from "./draft-record.ts";

/** The body of POST /api/commits. */
export const commitVersionsSchema = namedStrictObject("CommitVersions", {
  versions: z.array(z.strictObject(processVersionShape)).min(1).max(2000).describe("Published versions"),
});
export type CommitVersions = z.infer<typeof commitVersionsSchema>;

export const commitResultSchema = namedObject("CommitResult", {
  state: z.enum(["committed", "unchanged", "failed"]).describe("`unchanged`: they were committed before"),
  commit: z.string().nullable().describe("Name of the commit; null: there is none"),
  paths: z.array(z.string()).describe("The committed paths, below the catalog folder"),
  output: z.string().describe("The output of git"),
});
export type CommitResult = z.infer<typeof commitResultSchema>;
