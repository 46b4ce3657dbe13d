import { createDocument } from "zod-openapi";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { routes } from "@weft/shared/routes/routes.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { describeOperation } from "./describe-operation.ts";
import { TAG_DESCRIPTIONS } from "./tag-descriptions.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

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
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: base }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: describePaths(),
    components: { securitySchemes: SECURITY_SCHEMES },
  });
}

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

function describePaths(): ZodOpenApiPathsObject {
  const byPath = new Map<string, ZodOpenApiPathsObject[string]>();
  for (const [key, declaration] of Object.entries<RouteDeclaration>(routes)) {
    const [method = "", path = ""] = key.split(" ");
    // Object.entries widens the keys of the table to string.
    const operation = describeOperation(key as RouteId, declaration);
    byPath.set(path, { ...byPath.get(path), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(byPath);
}
