import { z } from "zod";
import {
  collisionsSchema,
  draftGroupSchema,
  importUrlSchema,
  outdatedListSchema,
  publishedGroupSchema,
  publishGroupSchema,
  upgradeNetworksSchema,
  usedProcessSchema,
} from "../records/draft-group-record.ts";
import { PROCESS_PROBLEMS, STORAGE_PROBLEMS } from "../records/refusal.ts";
import { textQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const group = { description: "The group", schema: draftGroupSchema } as const;

/** Drafts that belong together: upgrades of several networks, and imports. */
export const draftGroupRoutes = routesOf("drafts", {
  "GET /api/upgrades": {
    operationId: "listOutdatedNetworks",
    access: "viewer",
    summary: "List the networks that run an older version of a tool or network, with the effects of an upgrade",
    query: usedProcessSchema,
    answers: { 200: { description: "The networks by ID", schema: outdatedListSchema } },
    problems: [...PROCESS_PROBLEMS],
  },
  "POST /api/upgrades": {
    operationId: "upgradeNetworks",
    access: "author",
    summary: "Create drafts of networks that run a newer version of a tool or network",
    description: "Changes only the references in the texts. Either all drafts are created, or none.",
    body: upgradeNetworksSchema,
    answers: { 201: { ...group, location: "/api/draft-groups/{group_id}" } },
    problems: ["not-found", ...PROCESS_PROBLEMS, "invalid-document", "conflict", ...STORAGE_PROBLEMS],
  },
  "POST /api/draft-imports": {
    operationId: "importDrafts",
    access: "author",
    summary: "Create drafts of the tools and networks in a zip",
    description:
      "Packed documents are split. References between the documents lead to the new drafts; helper files, tests and examples are kept. `notes` says what happened to each file. At most 5,000 files, 64 MiB in total.",
    query: z.object({
      title: textQuery(200, "Name of the import, for the title of the group"),
      collisions: collisionsSchema.optional(),
    }),
    bodyMediaType: "application/zip",
    answers: { 201: { ...group, location: "/api/draft-groups/{group_id}" } },
    problems: [
      "not-found",
      "invalid-body",
      "unsupported-media-type",
      "body-too-large",
      "request-timeout",
      ...STORAGE_PROBLEMS,
    ],
  },
  "POST /api/draft-imports/url": {
    operationId: "importDraftsFromUrl",
    access: "author",
    summary: "Create drafts of a document on the web, or of a tool in a TRS registry",
    description: "Sends requests only to the hosts of `--allow-http`.",
    body: importUrlSchema,
    answers: { 201: { ...group, location: "/api/draft-groups/{group_id}" } },
    problems: ["not-found", ...STORAGE_PROBLEMS],
  },
  "GET /api/draft-groups/{group_id}": {
    operationId: "getDraftGroup",
    access: "author",
    summary: "Get a group of drafts with their problems, tests and versions",
    answers: { 200: group },
  },
  "POST /api/draft-groups/{group_id}/tests": {
    operationId: "runDraftGroupTests",
    access: "author",
    summary: "Run the tests of a group that have no result for the current revisions",
    answers: { 202: group },
    problems: ["draining", "queue-full", ...STORAGE_PROBLEMS],
  },
  "POST /api/draft-groups/{group_id}/publish": {
    operationId: "publishDraftGroup",
    access: "author",
    summary: "Publish drafts of a group together",
    description:
      "Publishes all of them or none, also if the server is killed. Refused with `409 conflict` while a test has not passed, unless `anyway` is true.",
    body: publishGroupSchema,
    answers: { 201: { description: "The new versions", schema: publishedGroupSchema } },
    problems: ["precondition-failed", "conflict", "invalid-document", ...STORAGE_PROBLEMS],
  },
  "DELETE /api/draft-groups/{group_id}": {
    operationId: "deleteDraftGroup",
    access: "author",
    summary: "Delete a group and its drafts",
    answers: { 204: { description: "Deleted" } },
    problems: STORAGE_PROBLEMS,
  },
} as const satisfies RouteTable);
