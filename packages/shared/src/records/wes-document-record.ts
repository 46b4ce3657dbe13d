import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { graphSchema, inputRecordSchema } from "./process-record.ts";
import { bytesSchema, documentDigestSchema, pageShape, timeSchema } from "./primitives.ts";

const wesDocumentShape = {
  digest: documentDigestSchema,
  url: z.string().describe("Address of the document; a run request takes it as `workflow_url`"),
  kind: z.enum(["network", "tool"]),
  name: z.string().describe("Label of the process, otherwise the name of its file"),
  primary: z.string().describe("Path of the file that runs, with `#id` if it is a part of a `$graph`"),
  source: z.string().describe("The `workflow_url` of the request that brought the document"),
  files: z.int().min(1).describe("Number of files: the document, its imports, and files that it names"),
  bytes: bytesSchema,
  added_by: z.string().describe("Caller who sent it first"),
  added_at: timeSchema,
  approved_by: z.string().nullable().describe("null: only those who may add documents can run it"),
  approved_at: timeSchema.nullable().describe("null: not approved"),
  runs: z.int().min(0).describe("Number of runs of the document"),
} as const;

/** A document that arrived through WES, as a list shows it. */
export const wesDocumentSchema = namedObject("WesDocument", wesDocumentShape);
export type WesDocument = z.infer<typeof wesDocumentSchema>;

export const wesDocumentListSchema = namedObject("WesDocumentList", {
  documents: z.array(wesDocumentSchema).describe("Newest first"),
  ...pageShape,
});

/** A document with the content of its files, so that an admin can review it. */
export const wesDocumentDetailSchema = namedObject("WesDocumentDetail", {
  ...wesDocumentShape,
  inputs: z.array(inputRecordSchema),
  graph: graphSchema.describe("Empty for a tool"),
  source_files: z
    .array(
      z.object({
        file: z.string(),
        bytes: bytesSchema,
        sha256: z.string(),
        text: z.string().nullable().describe("null: not UTF-8, or larger than 1 MiB"),
      }),
    )
    .describe("Files of the document with their contents"),
});
export type WesDocumentDetail = z.infer<typeof wesDocumentDetailSchema>;

/** The roles that may add documents through WES. */
export const WES_DOCUMENT_ROLES = ["admin", "author"] as const;
export type WesDocumentRole = (typeof WES_DOCUMENT_ROLES)[number];
