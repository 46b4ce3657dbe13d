import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import {
  draftIdSchema,
  draftSummarySchema,
  MAX_DRAFTS,
  processVersionShape,
  proposalSchema,
  publishedVersionSchema,
} from "./draft-record.ts";
import { catalogIdSchema, timeSchema, versionSchema, uuidSchema } from "./primitives.ts";
import { validationIssueSchema } from "./process-record.ts";

export const groupIdSchema = uuidSchema("ID of a group of drafts", "5d0b1c52-6a5e-4f0f-9f3c-0a9b3d1f7c12");

/** An action on the drafts of a group that was done or failed. */
export const groupNoteSchema = namedObject("DraftGroupNote", {
  level: z.enum(["info", "warning", "error"]).describe("`error`: not done"),
  subject: z.string().max(1000).describe("A file, tool or network"),
  text: z.string().max(2000).describe("Result of the action"),
});
export type GroupNote = z.infer<typeof groupNoteSchema>;

const groupShape = {
  group_id: groupIdSchema,
  kind: z.enum(["upgrade", "import"]).describe("Why the drafts belong together"),
  title: z.string().max(500),
  created_at: timeSchema,
  created_by: z.string().describe("Principal who created it"),
  notes: z.array(groupNoteSchema).describe("The result for everything that the group was made of"),
} as const;

/** A group as it is stored. */
export const storedGroupSchema = z.object({ ...groupShape, draft_ids: z.array(draftIdSchema) });
export type StoredGroup = Readonly<z.infer<typeof storedGroupSchema>>;

const memberSchema = namedObject("DraftGroupMember", {
  draft: draftSummarySchema,
  version: versionSchema.describe("Version that it would become"),
  status: z.enum(["valid", "warnings", "invalid"]),
  issues: z.array(validationIssueSchema).describe("Errors, at most 5"),
  reasons: proposalSchema.shape.reasons,
  tests: z
    .object({
      total: z.int().min(0).describe("All tests"),
      passed: z.int().min(0).describe("With the current revision"),
      failed: z.int().min(0).describe("With the current revision, or with errors of their own"),
      running: z.int().min(0).describe("Started and without a result"),
    })
    .describe("Numbers of tests; those that are missing have not run with this revision"),
});
export type GroupMember = z.infer<typeof memberSchema>;

export const draftGroupSchema = namedObject("DraftGroup", {
  ...groupShape,
  drafts: z.array(memberSchema).describe("Drafts that still exist, by ID"),
});
export type DraftGroup = z.infer<typeof draftGroupSchema>;

/** The body of POST /api/draft-groups/{group_id}/publish. */
export const publishGroupSchema = namedStrictObject("PublishDraftGroup", {
  drafts: z
    .array(z.strictObject({ draft_id: draftIdSchema, revision: z.int().min(1) }))
    .min(1)
    .max(MAX_DRAFTS)
    .describe("The drafts to publish, with the revisions that the caller has seen"),
  anyway: z.boolean().optional().describe("Publish even if tests have not passed; the audit log records it"),
});
export type PublishGroup = z.infer<typeof publishGroupSchema>;

export const publishedGroupSchema = namedObject("PublishedDraftGroup", {
  published: z.array(publishedVersionSchema).describe("The new versions"),
});
export type PublishedGroup = z.infer<typeof publishedGroupSchema>;

/** A network whose newest version runs an older version of a tool or network. */
export const outdatedNetworkSchema = namedObject("OutdatedNetwork", {
  id: catalogIdSchema,
  version: versionSchema.nullable(),
  label: z.string().optional(),
  steps: z
    .array(z.object({ step: z.string(), version: versionSchema.nullable() }))
    .describe("Steps that run an older version, and which one; steps of embedded networks as `outer/inner`"),
  other_versions: z.array(versionSchema).describe("Older versions of the network that run it too"),
  changes: proposalSchema.shape.reasons.describe("Changes that affect the network"),
  problems: z.array(z.string()).describe("Changes that the network needs by hand"),
});
export type OutdatedNetwork = z.infer<typeof outdatedNetworkSchema>;

export const outdatedListSchema = namedObject("OutdatedNetworkList", { networks: z.array(outdatedNetworkSchema) });

export const usedProcessSchema = z.object(processVersionShape);
export type UsedProcess = z.infer<typeof usedProcessSchema>;

/** The body of POST /api/upgrades. */
export const upgradeNetworksSchema = namedStrictObject("UpgradeNetworks", {
  ...processVersionShape,
  networks: z.array(catalogIdSchema).min(1).max(MAX_DRAFTS),
});
export type UpgradeNetworks = z.infer<typeof upgradeNetworksSchema>;

export const COLLISIONS = ["new-version", "new-id"] as const;
export const collisionsSchema = z
  .enum(COLLISIONS)
  .describe("If the catalog has the ID with other content: create a new version of it (default), or use a new ID");

/** The body of POST /api/draft-imports/url. */
export const importUrlSchema = namedStrictObject("ImportUrl", {
  url: z.string().min(1).max(2048).describe("http(s) URL of a document or zip, or `trs://HOST/ID/VERSION`"),
  collisions: collisionsSchema.optional(),
});
export type ImportUrl = z.infer<typeof importUrlSchema>;
