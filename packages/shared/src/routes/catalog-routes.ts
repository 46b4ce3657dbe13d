import { z } from "zod";
import { catalogIdSchema, pageQueryShape, urlViewShape, versionSchema } from "../records/primitives.ts";
import { networkListSchema, networkSchema, toolListSchema, toolSchema } from "../records/process-record.ts";
import type { RouteTable } from "./route.ts";

const listQuery = z.object({
  ...pageQueryShape,
  ...urlViewShape,
  q: z.string().max(200).optional().meta({ description: "Words to look for in id, label and doc" }),
});

const PACKED = "application/cwl+json";

export const catalogRoutes = {
  "GET /api/networks": {
    operationId: "listNetworks",
    tag: "networks",
    access: "viewer",
    summary: "List the networks of the catalog",
    query: listQuery,
    answers: { 200: { description: "A page of networks, ordered by id", schema: networkListSchema } },
    problems: ["invalid-parameters"],
  },
  "GET /api/networks/{id}": {
    operationId: "getNetwork",
    tag: "networks",
    access: "viewer",
    summary: "One network: inputs, outputs, steps, graph, validation",
    description: "With `Accept: application/cwl+json` the packed CWL document.",
    params: z.object({ id: catalogIdSchema }),
    query: z.object({ version: versionSchema.optional() }),
    answers: { 200: { description: "The network", schema: networkSchema, mediaTypes: [PACKED], headers: ["ETag"] } },
    problems: ["network-not-found", "version-not-found", "invalid-parameters", "invalid-document", "not-acceptable"],
  },
  "GET /api/tools": {
    operationId: "listTools",
    tag: "tools",
    access: "viewer",
    summary: "List the tools of the catalog, each with its versions",
    query: listQuery,
    answers: { 200: { description: "A page of tools, ordered by id", schema: toolListSchema } },
    problems: ["invalid-parameters"],
  },
  "GET /api/tools/{id}": {
    operationId: "getTool",
    tag: "tools",
    access: "viewer",
    summary: "The newest version of a tool that is not deprecated",
    description: "With `Accept: application/cwl+json` the packed CWL document.",
    params: z.object({ id: catalogIdSchema }),
    answers: { 200: { description: "The tool", schema: toolSchema, mediaTypes: [PACKED], headers: ["ETag"] } },
    problems: ["tool-not-found", "invalid-document", "invalid-parameters", "not-acceptable"],
  },
  "GET /api/tools/{id}/{version}": {
    operationId: "getToolVersion",
    tag: "tools",
    access: "viewer",
    summary: "One version of a tool",
    description: "With `Accept: application/cwl+json` the packed CWL document.",
    params: z.object({ id: catalogIdSchema, version: versionSchema }),
    answers: {
      200: { description: "That version of the tool", schema: toolSchema, mediaTypes: [PACKED], headers: ["ETag"] },
    },
    problems: ["tool-not-found", "version-not-found", "invalid-document", "invalid-parameters", "not-acceptable"],
  },
} as const satisfies RouteTable;
