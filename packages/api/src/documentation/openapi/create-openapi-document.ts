import { createDocument } from "zod-openapi";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { routes } from "@weft/shared/routes/routes.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { describeOperation } from "./describe-operation.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Tag = RouteDeclaration["tag"];

/** A service whose addresses and answers a standard lays down: it has a document of its own beside the whole one. */
export interface StandardService {
  readonly title: string;
  readonly tag: Tag;
  /** Where its addresses begin: those of its document are relative to it, as in the standard's. */
  readonly root: string;
}

/** The OpenAPI 3.1 document of the whole API: made from the schemas that check the requests. */
export function createOpenApiDocument(base: string, version: string): OpenApiDocument {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Weft",
      version,
      summary: "Runs CWL networks and tools",
      description:
        "Refusals are `application/problem+json` (RFC 9457). Lists are pages: hand `next_page_token` back as `page_token` until it is empty.",
      license: LICENSE,
    },
    servers: [{ url: base }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: describePaths("", () => true),
    components: { securitySchemes: SECURITY_SCHEMES },
  });
}

/** The document of one standard's service alone, for programs that know nothing else of this server. */
export function createServiceDocument(base: string, version: string, service: StandardService): OpenApiDocument {
  const { title, tag, root } = service;
  const description = TAG_DESCRIPTIONS[tag];
  return createDocument({
    openapi: "3.1.0",
    info: { title, version, summary: "Answered by Weft", description, license: LICENSE },
    servers: [{ url: base + root }],
    tags: [{ name: tag, description }],
    paths: describePaths(root, (declaration) => declaration.tag === tag),
    components: { securitySchemes: SECURITY_SCHEMES },
  });
}

const LICENSE = { name: "Apache-2.0", identifier: "Apache-2.0" };

/** Where the server was started without a login, neither is needed. */
const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The access token (the file `access-token` of the state folder), a named one (`weft token create`), or one of the identity provider that the server believes",
  },
  session: { type: "apiKey", in: "cookie", name: "weft_PORT", description: "Of a browser that has signed in" },
} as const;

/** The operations that are wanted, by path after `root`, with which all their paths begin. */
function describePaths(root: string, isWanted: (declaration: RouteDeclaration) => boolean): ZodOpenApiPathsObject {
  const byPath = new Map<string, ZodOpenApiPathsObject[string]>();
  const wanted = Object.entries<RouteDeclaration>(routes).filter(([, declaration]) => isWanted(declaration));
  for (const [key, declaration] of wanted) {
    const [method = "", fullPath = ""] = key.split(" ");
    const path = fullPath.slice(root.length);
    // Object.entries widens the keys of the table to string.
    const operation = describeOperation(key as RouteId, declaration);
    byPath.set(path, { ...byPath.get(path), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(byPath);
}

/** The groups of the documentation, in the order in which they are shown. */
const TAG_DESCRIPTIONS: Readonly<Record<RouteDeclaration["tag"], string>> = {
  runs: "Start, watch and abort runs; their jobs, logs and outputs",
  networks: "Networks of the catalog: CWL workflows",
  tools: "Tools of the catalog: CWL command line and expression tools, in versions",
  events: "Everything that happens, as pages, as Server-Sent Events, and by WebSocket at /api/events",
  files: "Files of runs, uploads, and the data folders to choose inputs from",
  provenance: "Where results come from",
  session: "Signing in, where the server asks for it",
  wes: "GA4GH Workflow Execution Service 1.1 over the same runs; errors in its own form",
  trs: "GA4GH Tool Registry Service 2.0 over the same catalog, read-only; errors in its own form",
  server: "The server itself",
};
