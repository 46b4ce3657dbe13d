import { z } from "zod";
import { draftIdSchema, draftSummarySchema, MAX_DRAFTS, PROCESS_KINDS, proposalSchema } from "./draft-record.ts";
import { publishedVersionSchema } from "./draft-record.ts";
import { catalogIdSchema, timeSchema, versionSchema } from "./primitives.ts";
import { validationIssueSchema } from "./process-record.ts";

export const groupIdSchema = z
  .uuid()
  .meta({ description: "ID of a group of drafts", examples: ["5d0b1c52-6a5e-4f0f-9f3c-0a9b3d1f7c12"] });

/** An action on the drafts of a group that was done or failed. */
export const groupNoteSchema = z
  .object({
    level: z.enum(["info", "warning", "error"]).meta({ description: "`error`: not done" }),
    subject: z.string().max(1000).meta({ description: "A file, tool or network" }),
    text: z.string().max(2000).meta({ description: "Result of the action" }),
  })
  .meta({ id: "DraftGroupNote" });
export type GroupNote = z.infer<typeof groupNoteSchema>;

const groupShape = {
  group_id: groupIdSchema,
  kind: z.enum(["upgrade", "import"]).meta({ description: "Why the drafts belong together" }),
  title: z.string().max(500),
  created_at: timeSchema,
  created_by: z.string().meta({ description: "Principal who created it" }),
  notes: z.array(groupNoteSchema).meta({ description: "The result for everything that the group was made of" }),
} as const;

/** A group as it is stored. */
export const storedGroupSchema = z.object({ ...groupShape, draft_ids: z.array(draftIdSchema) });
export type StoredGroup = Readonly<z.infer<typeof storedGroupSchema>>;

const memberSchema = z
  .object({
    draft: draftSummarySchema,
    version: versionSchema.meta({ description: "Version that it would become" }),
    status: z.enum(["valid", "warnings", "invalid"]),
    issues: z.array(validationIssueSchema).meta({ description: "Errors, at most 5" }),
    reasons: proposalSchema.shape.reasons,
    tests: z
      .object({
        total: z.int().min(0).meta({ description: "All tests" }),
        passed: z.int().min(0).meta({ description: "With the current revision" }),
        failed: z.int().min(0).meta({ description: "With the current revision, or with errors of their own" }),
        running: z.int().min(0).meta({ description: "Started and without a result" }),
      })
      .meta({ description: "Numbers of tests; those that are missing have not run with this revision" }),
  })
  .meta({ id: "DraftGroupMember" });
export type GroupMember = z.infer<typeof memberSchema>;

export const draftGroupSchema = z
  .object({ ...groupShape, drafts: z.array(memberSchema).meta({ description: "Drafts that still exist, by ID" }) })
  .meta({ id: "DraftGroup" });
export type DraftGroup = z.infer<typeof draftGroupSchema>;

/** The body of POST /api/draft-groups/{group_id}/publish. */
export const publishGroupSchema = z
  .strictObject({
    drafts: z
      .array(z.strictObject({ draft_id: draftIdSchema, revision: z.int().min(1) }))
      .min(1)
      .max(MAX_DRAFTS)
      .meta({ description: "The drafts to publish, with the revisions that the caller has seen" }),
    anyway: z.boolean().optional().meta({
      description: "Publish even if tests have not passed; the audit log records it",
    }),
  })
  .meta({ id: "PublishDraftGroup" });
export type PublishGroup = z.infer<typeof publishGroupSchema>;

export const publishedGroupSchema = z
  .object({ published: z.array(publishedVersionSchema).meta({ description: "The new versions" }) })
  .meta({ id: "PublishedDraftGroup" });
export type PublishedGroup = z.infer<typeof publishedGroupSchema>;

/** A network whose newest version runs an older version of a tool or network. */
export const outdatedNetworkSchema = z
  .object({
    id: catalogIdSchema,
    version: versionSchema.nullable(),
    label: z.string().optional(),
    steps: z.array(z.object({ step: z.string(), version: versionSchema.nullable() })).meta({
      description: "Steps that run an older version, and which one; steps of embedded networks as `outer/inner`",
    }),
    other_versions: z.array(versionSchema).meta({ description: "Older versions of the network that run it too" }),
    changes: proposalSchema.shape.reasons.meta({ description: "Changes that affect the network" }),
    problems: z.array(z.string()).meta({ description: "Changes that the network needs by hand" }),
  })
  .meta({ id: "OutdatedNetwork" });
export type OutdatedNetwork = z.infer<typeof outdatedNetworkSchema>;

export const outdatedListSchema = z
  .object({ networks: z.array(outdatedNetworkSchema) })
  .meta({ id: "OutdatedNetworkList" });

const usedShape = { kind: z.enum(PROCESS_KINDS), id: catalogIdSchema, version: versionSchema } as const;
export const usedProcessSchema = z.object(usedShape);
export type UsedProcess = z.infer<typeof usedProcessSchema>;

/** The body of POST /api/upgrades. */
export const upgradeNetworksSchema = z
  .strictObject({ ...usedShape, networks: z.array(catalogIdSchema).min(1).max(MAX_DRAFTS) })
  .meta({ id: "UpgradeNetworks" });
export type UpgradeNetworks = z.infer<typeof upgradeNetworksSchema>;

export const COLLISIONS = ["new-version", "new-id"] as const;
export const collisionsSchema = z.enum(COLLISIONS).meta({
  description: "If the catalog has the ID with other content: create a new version of it (default), or use a new ID",
});

/** The body of POST /api/draft-imports/url. */
export const importUrlSchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .meta({ description: "http(s) URL of a document or zip, or `trs://HOST/ID/VERSION`" }),
    collisions: collisionsSchema.optional(),
  })
  .meta({ id: "ImportUrl" });
export type ImportUrl = z.infer<typeof importUrlSchema>;
