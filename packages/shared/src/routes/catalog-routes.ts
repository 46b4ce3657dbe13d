import { z } from "zod";
import { networkListSchema, networkSchema, toolListSchema, toolSchema } from "../records/process-record.ts";
import { pageQueryShape, textQuery, urlViewShape, versionQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const listQuery = z.object({
  ...pageQueryShape,
  ...urlViewShape,
  q: textQuery(200, "Words to find in ID, label and doc"),
});

const PACKED = "application/cwl+json";

export const catalogRoutes = routesOf("tools", {
  "GET /api/networks": {
    operationId: "listNetworks",
    tag: "networks",
    access: "viewer",
    summary: "List the networks of the catalog",
    query: listQuery,
    answers: { 200: { description: "A page of networks, ordered by ID", schema: networkListSchema } },
  },
  "GET /api/networks/{id}": {
    operationId: "getNetwork",
    tag: "networks",
    access: "viewer",
    summary: "Get a network: inputs, outputs, steps, graph, validation",
    description: "`Accept: application/cwl+json` returns the packed CWL document.",
    query: versionQuery,
    answers: { 200: { description: "The network", schema: networkSchema, mediaTypes: [PACKED], headers: ["ETag"] } },
    problems: ["network-not-found", "version-not-found", "invalid-document"],
  },
  "GET /api/tools": {
    operationId: "listTools",
    access: "viewer",
    summary: "List the tools of the catalog, each with its versions",
    query: listQuery,
    answers: { 200: { description: "A page of tools, ordered by ID", schema: toolListSchema } },
  },
  "GET /api/tools/{id}": {
    operationId: "getTool",
    access: "viewer",
    summary: "Get the newest version of a tool that is not deprecated",
    description: "`Accept: application/cwl+json` returns the packed CWL document.",
    answers: { 200: { description: "The tool", schema: toolSchema, mediaTypes: [PACKED], headers: ["ETag"] } },
    problems: ["invalid-document"],
  },
  "GET /api/tools/{id}/{version}": {
    operationId: "getToolVersion",
    access: "viewer",
    summary: "Get a version of a tool",
    description: "`Accept: application/cwl+json` returns the packed CWL document.",
    answers: {
      200: { description: "That version of the tool", schema: toolSchema, mediaTypes: [PACKED], headers: ["ETag"] },
    },
    problems: ["invalid-document"],
  },
} as const satisfies RouteTable);
