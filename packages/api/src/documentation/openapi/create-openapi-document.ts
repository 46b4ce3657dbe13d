import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { describeFields } from "./field-descriptions.ts";
import { describeOperation } from "./describe-operation.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Tag = RouteDeclaration["tag"];

/**
 * A service whose routes and responses a standard defines; it has a separate document in addition to the complete one.
 */
export interface StandardService {
  readonly title: string;
  readonly tag: Tag;
  /** Prefix of its paths; those in its document are relative to it, as in the standard. */
  readonly root: string;
}

/** The OpenAPI 3.1 document of the whole API, derived from the schemas that check the requests. */
export function createOpenApiDocument(base: string, version: string): OpenApiDocument {
  return documentOf({
    info: {
      title: "Weft",
      version,
      summary: "Run CWL networks and tools",
      description:
        "Errors use `application/problem+json` (RFC 9457). Lists are paginated: pass `next_page_token` as `page_token` until it is empty.",
    },
    servers: [{ url: base }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: describePaths(base, "", () => true),
  });
}

/** The document of only one standard's service, for programs that use nothing else on this server. */
export function createServiceDocument(base: string, version: string, service: StandardService): OpenApiDocument {
  const { title, tag, root } = service;
  const description = TAG_DESCRIPTIONS[tag];
  return documentOf({
    info: { title, version, summary: "Provided by Weft", description },
    servers: [{ url: base + root }],
    tags: [{ name: tag, description }],
    paths: describePaths(base, root, (declaration) => declaration.tag === tag),
  });
}

function documentOf({ info, ...parts }: Omit<Parameters<typeof createDocument>[0], "openapi">): OpenApiDocument {
  const license = { name: "Apache-2.0", identifier: "Apache-2.0" };
  const components = { securitySchemes: SECURITY_SCHEMES };
  return describeFields(createDocument({ openapi: "3.1.0", info: { ...info, license }, ...parts, components }));
}

/** Neither is needed if the server was started without a login. */
const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The access token (the file `access-token` in the state folder), a named token (`weft token create`), or a token of the configured identity provider",
  },
  session: { type: "apiKey", in: "cookie", name: "weft_PORT", description: "Session cookie of a signed-in browser" },
} as const;

/** The wanted operations, by path relative to `root`, the common prefix of their paths. */
function describePaths(
  base: string,
  root: string,
  isWanted: (declaration: RouteDeclaration) => boolean,
): ZodOpenApiPathsObject {
  const byPath = new Map<string, ZodOpenApiPathsObject[string]>();
  const selected = Object.entries<RouteDeclaration>(routes).filter(([, declaration]) => isWanted(declaration));
  for (const [key, declaration] of selected) {
    const [method = "", fullPath = ""] = key.split(" ");
    const path = fullPath.slice(root.length);
    // Object.entries widens the keys of the table to string.
    const operation = describeOperation(key as RouteId, declaration, base);
    byPath.set(path, { ...byPath.get(path), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(byPath);
}

/** The groups of the documentation, in the order in which they are shown. */
const TAG_DESCRIPTIONS: Readonly<Record<RouteDeclaration["tag"], string>> = {
  runs: "Start, follow and abort runs; read their jobs, logs and outputs",
  networks: "Networks of the catalog: CWL workflows",
  tools: "Tools of the catalog: CWL command line and expression tools, in versions",
  datasets: "Browse datasets in the data folders and make samples of them",
  drafts: "Write, check, try and publish tools and networks",
  automations: "Runs that start by themselves",
  notifications: "Webhooks, emails and feeds about runs",
  events: "All events, as pages, as Server-Sent Events, and by WebSocket at /api/events",
  files: "Files of runs, uploads and data roots",
  provenance: "Lineage, crates, comparison and reproduction of runs",
  session: "Sign in and out",
  wes: "GA4GH Workflow Execution Service 1.1 for the same runs, with errors in its format",
  trs: "GA4GH Tool Registry Service 2.0 for the same catalog, read-only, with errors in its format",
  server: "State, storage and shutdown of the server",
};
