import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { catalogIdSchema, timeSchema, versionSchema, uuidSchema } from "./primitives.ts";
import { networkSchema, toolSchema, validationSchema } from "./process-record.ts";

export const MAX_DRAFT_CHARACTERS = 2_000_000;
export const MAX_DRAFTS = 2000;
/** Files next to the document: helper files, tests and examples. */
export const MAX_DRAFT_FILES = 1000;
/** The maximum size of all files of a draft together. */
export const MAX_DRAFT_FILES_BYTES = 64 * 1024 * 1024;

export const PROCESS_KINDS = ["tool", "network"] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

/** A version of a tool or network. */
export const processVersionShape = {
  kind: z.enum(PROCESS_KINDS),
  id: catalogIdSchema,
  version: versionSchema,
} as const;

export const draftIdSchema = uuidSchema("ID of a draft", "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11");

const textSchema = z.string().max(MAX_DRAFT_CHARACTERS).describe("The CWL document");

const summaryShape = {
  draft_id: draftIdSchema,
  kind: z.enum(PROCESS_KINDS),
  id: catalogIdSchema.describe("ID under which it will be published"),
  based_on: versionSchema
    .nullable()
    .describe(
      "The published version that the draft began with (`unversioned`: a network without versions); null: none",
    ),
  group_id: z.uuid().nullable().describe("The group of drafts that it belongs to"),
  planned_version: versionSchema
    .nullable()
    .describe("Version under which other drafts of its group refer to it; null: not decided"),
  revision: z.int().min(1).describe("Grows by one with every change; the ETag"),
  created_at: timeSchema,
  created_by: z.string().describe("Principal who created it"),
  updated_at: timeSchema,
  updated_by: z.string().describe("Principal of the last change"),
} as const;

export const draftSummarySchema = namedObject("DraftSummary", summaryShape);
export type DraftSummary = z.infer<typeof draftSummarySchema>;

export const draftSchema = namedObject("Draft", {
  ...summaryShape,
  path: z.string().describe("Base path of relative references in the text, below the catalog folder"),
  text: textSchema,
});
export type Draft = z.infer<typeof draftSchema>;

/** The body of POST /api/drafts. */
export const createDraftSchema = namedStrictObject("CreateDraft", {
  kind: z.enum(PROCESS_KINDS),
  id: catalogIdSchema,
  based_on: versionSchema
    .optional()
    .describe("Version to begin with (`unversioned`: a network without versions); absent: an empty document"),
  text: textSchema.optional().describe("Absent: the text of `based_on`, or a document to begin with"),
});
export type CreateDraft = z.infer<typeof createDraftSchema>;

export const draftFileSchema = namedObject("DraftFile", {
  path: z.string().meta({ description: "Relative to the document", examples: ["tests/small.yml"] }),
  bytes: z.int().min(0).describe("Size"),
  state: z.enum(["unchanged", "changed", "new"]).describe("Compared with the version that the draft is based on"),
});
export type DraftFile = z.infer<typeof draftFileSchema>;

export const draftFileListSchema = namedObject("DraftFileList", {
  revision: z.int().min(1),
  files: z.array(draftFileSchema),
  removed: z
    .array(z.string())
    .describe("Paths of files of the version that the draft is based on, which the draft does not have"),
});
export type DraftFileList = z.infer<typeof draftFileListSchema>;

export const draftFileTextSchema = namedObject("DraftFileText", {
  path: z.string(),
  text: z.string().nullable().describe("null: it is not UTF-8, or too large to edit here"),
  base_text: z
    .string()
    .nullable()
    .describe(
      "The text in the version that the draft is based on; null: that version has no such file, or no such text",
    ),
});
export type DraftFileText = z.infer<typeof draftFileTextSchema>;

const doing = <Change extends string>(change: Change) => z.literal(change).describe("The change");
const filePathSchema = z.string().min(1).max(255).describe("Relative to the document");

/** The body of POST /api/drafts/{draft_id}/files. All changes are made, or none. */
export const changeDraftFilesSchema = namedStrictObject("ChangeDraftFiles", {
  text: textSchema.optional().describe("A new text of the document, which is saved with the changes"),
  changes: z
    .array(
      z.discriminatedUnion("do", [
        z.strictObject({ do: doing("write"), path: filePathSchema, text: z.string().max(MAX_DRAFT_CHARACTERS) }),
        z.strictObject({ do: doing("rename"), path: filePathSchema, to: filePathSchema }),
        z.strictObject({ do: doing("delete"), path: filePathSchema }),
      ]),
    )
    .min(1)
    .max(100)
    .describe("Changes, applied in this order"),
});
export type ChangeDraftFiles = z.infer<typeof changeDraftFilesSchema>;
export type DraftFileChange = ChangeDraftFiles["changes"][number];

export const MAX_DRAFT_EDITORS = 50;

/** Other users who have a draft open. */
export const draftEditorsSchema = namedObject("DraftEditors", {
  editors: z
    .array(z.object({ name: z.string().describe("Principal") }))
    .max(MAX_DRAFT_EDITORS)
    .describe("One entry for each window"),
});

/** The body of POST /api/drafts/{draft_id}/editors. */
export const visitDraftSchema = namedStrictObject("VisitDraft", {
  editor: uuidSchema("Random ID, which the editor creates for each window", "7d3f1f0e-2b64-4c55-8d0a-6f9e3b7a1c20"),
  leaves: z.boolean().optional().describe("The window closes"),
});

/** The body of POST /api/drafts/{draft_id}. */
export const saveDraftSchema = namedStrictObject("SaveDraft", { text: textSchema });

export const CHANGE_LEVELS = ["major", "minor", "patch"] as const;
export type ChangeLevel = (typeof CHANGE_LEVELS)[number];

/** The effect of a new version on its users. */
export const proposalSchema = namedObject("VersionProposal", {
  version: versionSchema,
  compared_with: versionSchema.nullable().describe("null: nothing is published yet"),
  level: z
    .enum(CHANGE_LEVELS)
    .nullable()
    .describe(
      "`major`: runs or networks that use the old version may break; `minor`: results may change, or there is something new; `patch`: only texts",
    ),
  reasons: z
    .array(
      z.object({
        level: z.enum(CHANGE_LEVELS).describe("Level that this change requires by itself"),
        text: z.string(),
      }),
    )
    .describe("Every difference for those who use it, the largest first"),
});
export type VersionProposal = z.infer<typeof proposalSchema>;

/** A draft as the server reads it. */
export const draftCheckSchema = namedObject("DraftCheck", {
  revision: z.int().min(1),
  validation: validationSchema,
  proposal: proposalSchema,
  published_text: z.string().describe("The text as it would be published: references can change with the folder"),
  base_text: z.string().nullable().describe("The text of `based_on`, if the catalog still has it"),
  tool: toolSchema.nullable().describe("The draft as a tool; null if it is a network"),
  network: networkSchema.nullable(),
});
export type DraftCheck = z.infer<typeof draftCheckSchema>;

/** The body of POST /api/drafts/{draft_id}/publish. */
export const publishDraftSchema = namedStrictObject("PublishDraft", {
  version: versionSchema,
  anyway: z
    .boolean()
    .optional()
    .describe("Publish even if tests have not passed with this revision; the audit log records it"),
});
export type PublishDraft = z.infer<typeof publishDraftSchema>;

export const publishedVersionSchema = namedObject("PublishedVersion", {
  ...processVersionShape,
  url: z.string(),
  can_commit: z.boolean().describe("Whether `POST /api/commits` can commit it"),
  not_passed: z.array(z.string()).describe("Tests that had not passed; only with `anyway`"),
});
export type PublishedVersion = z.infer<typeof publishedVersionSchema>;

/** A document of the catalog, by its path below the catalog folder. */
export const catalogDocumentSchema = namedObject("CatalogDocument", {
  path: z.string(),
  kind: z.enum(PROCESS_KINDS),
  id: catalogIdSchema,
  version: versionSchema.nullable(),
  label: z.string().optional(),
  deprecated: z.boolean(),
});
export type CatalogDocument = z.infer<typeof catalogDocumentSchema>;

export const documentListSchema = namedObject("DocumentList", {
  documents: z.array(catalogDocumentSchema).describe("Tools and networks that a step can run"),
  files: z.array(z.string()).describe("Paths of all documents and of the files that they include"),
});
export type DocumentList = z.infer<typeof documentListSchema>;
