import { commitResultSchema, commitVersionsSchema } from "../records/commit-record.ts";
import { seenHeader } from "./draft-routes.ts";
import { PROCESS_PROBLEMS, STORAGE_PROBLEMS } from "../records/refusal.ts";
import { versionQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const zip = {
  200: { description: "The zip", mediaTypes: ["application/zip"], headers: ["Content-Disposition"] },
} as const;
const AS_IN_CATALOG =
  "Documents with their comments, helper files, tests and examples, also of everything that it runs, by their paths below the catalog folder. `POST /api/draft-imports` takes it. At most 5,000 files, 64 MiB in total.";

/** Versions and drafts for other programs and catalogs, and commits of versions. */
export const exportRoutes = routesOf("drafts", {
  "GET /api/tools/{id}/{version}/sources.zip": {
    operationId: "exportTool",
    tag: "tools",
    access: "viewer",
    summary: "Download the files of a version of a tool",
    description: AS_IN_CATALOG,
    answers: zip,
    problems: ["body-too-large"],
  },
  "GET /api/networks/{id}/sources.zip": {
    operationId: "exportNetwork",
    tag: "networks",
    access: "viewer",
    summary: "Download the files of a network",
    description: AS_IN_CATALOG,
    query: versionQuery,
    answers: zip,
    problems: ["network-not-found", "version-not-found", "body-too-large"],
  },
  "GET /api/drafts/{draft_id}/sources.zip": {
    operationId: "exportDraft",
    access: "author",
    summary: "Download the files of a draft",
    description: AS_IN_CATALOG,
    headers: seenHeader,
    answers: zip,
    problems: ["precondition-failed", "body-too-large"],
  },
  "GET /api/drafts/{draft_id}/packed": {
    operationId: "packDraft",
    access: "author",
    summary: "Get a draft with all that it refers to as one CWL document",
    headers: seenHeader,
    answers: {
      200: { description: "The document", mediaTypes: ["application/cwl+json"], headers: ["Content-Disposition"] },
    },
    problems: ["precondition-failed", "invalid-document"],
  },
  "POST /api/commits": {
    operationId: "commitVersions",
    access: "author",
    summary: "Commit published versions to the git work tree of the catalog",
    description:
      "Needs `--commit-published`. Commits the folders of the versions and nothing else, with the caller as the author.",
    body: commitVersionsSchema,
    answers: { 200: { description: "The result of git", schema: commitResultSchema } },
    problems: ["not-found", ...PROCESS_PROBLEMS, "conflict", ...STORAGE_PROBLEMS],
  },
} as const satisfies RouteTable);
