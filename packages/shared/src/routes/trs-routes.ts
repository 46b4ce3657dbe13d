import { z } from "zod";
import { trsServiceSchema } from "../records/ga4gh-record.ts";
import { versionSchema } from "../records/primitives.ts";
import {
  trsFileSchema,
  trsToolClassSchema,
  trsToolFileSchema,
  trsToolSchema,
  trsVersionSchema,
} from "../records/trs-record.ts";
import { wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const text = z.string().max(200).optional();
const flag = z.stringbool().optional();

/** `imaging-cohort`, or `tools:imaging-cohort` for a tool that has the id of a network. */
export const trsIdSchema = z
  .string()
  .regex(/^(?:(?:networks|tools):)?[a-z0-9][a-z0-9._-]{0,127}$/)
  .meta({
    description: "ID in the catalog; a network precedes a tool. The prefix `networks:` or `tools:` selects the kind",
    examples: ["imaging-cohort"],
  });

const toolParams = z.object({ id: trsIdSchema });
const versionParams = toolParams.extend({
  version_id: versionSchema.describe("A version, `latest`, or `unversioned` for a network without versions"),
});
const typeParams = versionParams.extend({
  type: z.enum(["CWL", "PLAIN_CWL"]).describe("`PLAIN_CWL`: the plain text"),
});
const plain = { description: "`PLAIN_CWL` returns the plain file." };
const missing = ["network-not-found", "tool-not-found", "version-not-found", "not-found"] as const;

/** GA4GH Tool Registry Service 2.0: the catalog, read-only, in the words of that standard. */
export const trsRoutes = routesOf("trs", {
  "GET /ga4gh/trs/v2/service-info": {
    operationId: "trsServiceInfo",
    access: "open",
    summary: "Describe this registry",
    answers: { 200: { description: "The service", schema: trsServiceSchema } },
  },
  "GET /ga4gh/trs/v2/toolClasses": {
    operationId: "trsToolClasses",
    access: "viewer",
    summary: "List the classes of entries",
    answers: { 200: { description: "The classes", schema: z.array(trsToolClassSchema) } },
  },
  "GET /ga4gh/trs/v2/tools": {
    operationId: "trsListTools",
    access: "viewer",
    summary: "List networks and tools",
    query: z.object({
      id: text,
      alias: text,
      toolClass: text,
      descriptorType: text,
      registry: text,
      organization: text,
      name: text,
      toolname: text,
      description: text,
      author: text,
      checker: flag,
      offset: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional(),
      limit: wholeQuery(1, Number.MAX_SAFE_INTEGER, "Entries per page, at most 1,000"),
    }),
    answers: {
      200: {
        description: "A page of entries; the headers `next_page` and `last_page` have the URLs of other pages",
        schema: z.array(trsToolSchema),
        headers: ["self_link", "last_page", "current_offset", "current_limit"],
      },
    },
  },
  "GET /ga4gh/trs/v2/tools/{id}": {
    operationId: "trsGetTool",
    access: "viewer",
    summary: "Get a network or tool",
    params: toolParams,
    answers: { 200: { description: "The entry", schema: trsToolSchema } },
    problems: missing,
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions": {
    operationId: "trsListVersions",
    access: "viewer",
    summary: "List versions, newest first",
    params: toolParams,
    answers: { 200: { description: "The versions", schema: z.array(trsVersionSchema) } },
    problems: missing,
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}": {
    operationId: "trsGetVersion",
    access: "viewer",
    summary: "Get a version",
    params: versionParams,
    answers: { 200: { description: "The version", schema: trsVersionSchema } },
    problems: missing,
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor": {
    operationId: "trsGetDescriptor",
    access: "viewer",
    summary: "Get the packed document",
    description: plain.description,
    params: typeParams,
    answers: { 200: { description: "The document", schema: trsFileSchema, mediaTypes: ["text/plain"] } },
    problems: [...missing, "invalid-document"],
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor/{path}": {
    operationId: "trsGetFile",
    access: "viewer",
    summary: "Get a file",
    description: `Paths are relative to the document, so that its references resolve. ${plain.description}`,
    params: typeParams.extend({ path: z.string().min(1).max(1000) }),
    answers: {
      200: { description: "The file", schema: trsFileSchema, mediaTypes: ["text/plain", "application/octet-stream"] },
    },
    problems: [...missing, "invalid-document"],
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/tests": {
    operationId: "trsListTests",
    access: "viewer",
    summary: "List example inputs",
    params: typeParams,
    answers: { 200: { description: "Input objects as JSON", schema: z.array(trsFileSchema) } },
    problems: missing,
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/files": {
    operationId: "trsListFiles",
    access: "viewer",
    summary: "List files: document, helper files, examples",
    params: typeParams,
    query: z.object({ format: z.literal("zip").optional().describe("`zip`: the files, not a list") }),
    answers: {
      200: { description: "The files", schema: z.array(trsToolFileSchema), mediaTypes: ["application/zip"] },
    },
    problems: [...missing, "invalid-document"],
  },
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile": {
    operationId: "trsGetContainerfile",
    access: "viewer",
    summary: "Get container files: this registry has none",
    params: versionParams,
    answers: { 200: { description: "The container files", schema: z.array(trsFileSchema) } },
    problems: missing,
  },
} as const satisfies RouteTable);
