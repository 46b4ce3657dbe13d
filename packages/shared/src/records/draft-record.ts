import { z } from "zod";
import { catalogIdSchema, timeSchema, versionSchema } from "./primitives.ts";
import { networkSchema, toolSchema, validationSchema } from "./process-record.ts";

export const MAX_DRAFT_CHARACTERS = 2_000_000;
export const MAX_DRAFTS = 2000;
/** Files next to the document: helper files, tests and examples. */
export const MAX_DRAFT_FILES = 1000;
/** The maximum size of all files of a draft together. */
export const MAX_DRAFT_FILES_BYTES = 64 * 1024 * 1024;

export const PROCESS_KINDS = ["tool", "network"] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

export const draftIdSchema = z
  .uuid()
  .meta({ description: "ID of a draft", examples: ["0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11"] });

const textSchema = z.string().max(MAX_DRAFT_CHARACTERS).meta({ description: "The CWL document" });

const summaryShape = {
  draft_id: draftIdSchema,
  kind: z.enum(PROCESS_KINDS),
  id: catalogIdSchema.meta({ description: "ID under which it will be published" }),
  based_on: versionSchema.nullable().meta({
    description:
      "The published version that the draft began with (`unversioned`: a network without versions); null: none",
  }),
  group_id: z.uuid().nullable().meta({ description: "The group of drafts that it belongs to" }),
  planned_version: versionSchema.nullable().meta({
    description: "Version under which other drafts of its group refer to it; null: not decided",
  }),
  revision: z.int().min(1).meta({ description: "Grows by one with every change; the ETag" }),
  created_at: timeSchema,
  created_by: z.string().meta({ description: "Principal who created it" }),
  updated_at: timeSchema,
  updated_by: z.string().meta({ description: "Principal of the last change" }),
} as const;

export const draftSummarySchema = z.object(summaryShape).meta({ id: "DraftSummary" });
export type DraftSummary = z.infer<typeof draftSummarySchema>;

export const draftSchema = z
  .object({
    ...summaryShape,
    path: z.string().meta({ description: "Base path of relative references in the text, below the catalog folder" }),
    text: textSchema,
  })
  .meta({ id: "Draft" });
export type Draft = z.infer<typeof draftSchema>;

/** The body of POST /api/drafts. */
export const createDraftSchema = z
  .strictObject({
    kind: z.enum(PROCESS_KINDS),
    id: catalogIdSchema,
    based_on: versionSchema.optional().meta({
      description: "Version to begin with (`unversioned`: a network without versions); absent: an empty document",
    }),
    text: textSchema.optional().meta({ description: "Absent: the text of `based_on`, or a document to begin with" }),
  })
  .meta({ id: "CreateDraft" });
export type CreateDraft = z.infer<typeof createDraftSchema>;

export const draftFileSchema = z
  .object({
    path: z.string().meta({ description: "Relative to the document", examples: ["tests/small.yml"] }),
    bytes: z.int().min(0).meta({ description: "Size" }),
    state: z
      .enum(["unchanged", "changed", "new"])
      .meta({ description: "Compared with the version that the draft is based on" }),
  })
  .meta({ id: "DraftFile" });
export type DraftFile = z.infer<typeof draftFileSchema>;

export const draftFileListSchema = z
  .object({
    revision: z.int().min(1),
    files: z.array(draftFileSchema),
    removed: z
      .array(z.string())
      .meta({ description: "Paths of files of the version that the draft is based on, which the draft does not have" }),
  })
  .meta({ id: "DraftFileList" });
export type DraftFileList = z.infer<typeof draftFileListSchema>;

export const draftFileTextSchema = z
  .object({
    path: z.string(),
    text: z.string().nullable().meta({ description: "null: it is not UTF-8, or too large to edit here" }),
    base_text: z.string().nullable().meta({
      description:
        "The text in the version that the draft is based on; null: that version has no such file, or no such text",
    }),
  })
  .meta({ id: "DraftFileText" });
export type DraftFileText = z.infer<typeof draftFileTextSchema>;

const doing = <Change extends string>(change: Change) => z.literal(change).meta({ description: "The change" });
const filePathSchema = z.string().min(1).max(255).meta({ description: "Relative to the document" });

/** The body of POST /api/drafts/{draft_id}/files. All changes are made, or none. */
export const changeDraftFilesSchema = z
  .strictObject({
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
      .meta({ description: "Changes, applied in this order" }),
  })
  .meta({ id: "ChangeDraftFiles" });
export type ChangeDraftFiles = z.infer<typeof changeDraftFilesSchema>;
export type DraftFileChange = ChangeDraftFiles["changes"][number];

export const MAX_DRAFT_EDITORS = 50;

/** Other users who have a draft open. */
export const draftEditorsSchema = z
  .object({
    editors: z
      .array(z.object({ name: z.string().meta({ description: "Principal" }) }))
      .max(MAX_DRAFT_EDITORS)
      .meta({ description: "One entry for each window" }),
  })
  .meta({ id: "DraftEditors" });

/** The body of POST /api/drafts/{draft_id}/editors. */
export const visitDraftSchema = z
  .strictObject({
    editor: z.uuid().meta({
      description: "Random ID, which the editor creates for each window",
      examples: ["7d3f1f0e-2b64-4c55-8d0a-6f9e3b7a1c20"],
    }),
    leaves: z.boolean().optional().meta({ description: "The window closes" }),
  })
  .meta({ id: "VisitDraft" });

/** The body of POST /api/drafts/{draft_id}. */
export const saveDraftSchema = z.strictObject({ text: textSchema }).meta({ id: "SaveDraft" });

export const CHANGE_LEVELS = ["major", "minor", "patch"] as const;
export type ChangeLevel = (typeof CHANGE_LEVELS)[number];

/** The effect of a new version on its users. */
export const proposalSchema = z
  .object({
    version: versionSchema,
    compared_with: versionSchema.nullable().meta({ description: "null: nothing is published yet" }),
    level: z.enum(CHANGE_LEVELS).nullable().meta({
      description:
        "`major`: runs or networks that use the old version may break; `minor`: results may change, or there is something new; `patch`: only texts",
    }),
    reasons: z
      .array(
        z.object({
          level: z.enum(CHANGE_LEVELS).meta({ description: "Level that this change requires by itself" }),
          text: z.string(),
        }),
      )
      .meta({ description: "Every difference for those who use it, the largest first" }),
  })
  .meta({ id: "VersionProposal" });
export type VersionProposal = z.infer<typeof proposalSchema>;

/** A draft as the server reads it. */
export const draftCheckSchema = z
  .object({
    revision: z.int().min(1),
    validation: validationSchema,
    proposal: proposalSchema,
    published_text: z.string().meta({
      description: "The text as it would be published: references can change with the folder",
    }),
    base_text: z.string().nullable().meta({ description: "The text of `based_on`, if the catalog still has it" }),
    tool: toolSchema.nullable().meta({ description: "The draft as a tool; null if it is a network" }),
    network: networkSchema.nullable(),
  })
  .meta({ id: "DraftCheck" });
export type DraftCheck = z.infer<typeof draftCheckSchema>;

/** The body of POST /api/drafts/{draft_id}/publish. */
export const publishDraftSchema = z
  .strictObject({
    version: versionSchema,
    anyway: z.boolean().optional().meta({
      description: "Publish even if tests have not passed with this revision; the audit log records it",
    }),
  })
  .meta({ id: "PublishDraft" });
export type PublishDraft = z.infer<typeof publishDraftSchema>;

export const publishedVersionSchema = z
  .object({
    kind: z.enum(PROCESS_KINDS),
    id: catalogIdSchema,
    version: versionSchema,
    url: z.string(),
    can_commit: z.boolean().meta({ description: "Whether `POST /api/commits` can commit it" }),
    not_passed: z.array(z.string()).meta({ description: "Tests that had not passed; only with `anyway`" }),
  })
  .meta({ id: "PublishedVersion" });
export type PublishedVersion = z.infer<typeof publishedVersionSchema>;

/** A document of the catalog, by its path below the catalog folder. */
export const catalogDocumentSchema = z
  .object({
    path: z.string(),
    kind: z.enum(PROCESS_KINDS),
    id: catalogIdSchema,
    version: versionSchema.nullable(),
    label: z.string().optional(),
    deprecated: z.boolean(),
  })
  .meta({ id: "CatalogDocument" });
export type CatalogDocument = z.infer<typeof catalogDocumentSchema>;

export const documentListSchema = z
  .object({
    documents: z.array(catalogDocumentSchema).meta({ description: "Tools and networks that a step can run" }),
    files: z.array(z.string()).meta({ description: "Paths of all documents and of the files that they include" }),
  })
  .meta({ id: "DocumentList" });
export type DocumentList = z.infer<typeof documentListSchema>;
