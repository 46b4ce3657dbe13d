import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import type { ContentAnswer, Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type CatalogHandlers = Pick<
  Handlers,
  | "GET /api/networks"
  | "GET /api/networks/{id}"
  | "GET /api/tools"
  | "GET /api/tools/{id}"
  | "GET /api/tools/{id}/{version}"
  | "GET /api/tools/{id}/{version}/tests"
  | "POST /api/tools/{id}/{version}/tests"
  | "GET /api/networks/{id}/tests"
  | "POST /api/networks/{id}/tests"
>;

const PACKED_MEDIA_TYPE = "application/cwl+json";

/** Networks and tools: as records, or as packed CWL if the client accepts that. */
export function createCatalogHandlers({ engine: { catalog, tests } }: ServerParts): CatalogHandlers {
  const packed = (ctx: Context, kind: "network" | "tool", id: string, version: string | undefined) =>
    packedAnswer(ctx, catalog.packed(ctx.state.caller, { kind, id, version }));
  return {
    "GET /api/networks": ({ caller, query }) => ({ status: 200, body: catalog.listNetworks(caller, query) }),
    "GET /api/networks/{id}": ({ caller, params: { id }, query: { version }, ctx }) =>
      wantsPacked(ctx)
        ? packed(ctx, "network", id, version)
        : { status: 200, body: catalog.getNetwork(caller, id, version) },
    "GET /api/tools": ({ caller, query }) => ({ status: 200, body: catalog.listTools(caller, query) }),
    "GET /api/tools/{id}": ({ caller, params: { id }, ctx }) =>
      wantsPacked(ctx)
        ? packed(ctx, "tool", id, undefined)
        : { status: 200, body: catalog.getTool(caller, id, undefined) },
    "GET /api/tools/{id}/{version}": ({ caller, params: { id, version }, ctx }) =>
      wantsPacked(ctx) ? packed(ctx, "tool", id, version) : { status: 200, body: catalog.getTool(caller, id, version) },
    "GET /api/tools/{id}/{version}/tests": ({ caller, params }) => ({
      status: 200,
      body: tests.list(caller, { kind: "tool", ...params }),
    }),
    "POST /api/tools/{id}/{version}/tests": async ({ caller, params, body }) => ({
      status: 202,
      body: await tests.run(caller, { kind: "tool", ...params }, body),
    }),
    "GET /api/networks/{id}/tests": ({ caller, params: { id }, query: { version } }) => ({
      status: 200,
      body: tests.list(caller, { kind: "network", id, version }),
    }),
    "POST /api/networks/{id}/tests": async ({ caller, params: { id }, query: { version }, body }) => ({
      status: 202,
      body: await tests.run(caller, { kind: "network", id, version }, body),
    }),
  };
}

function wantsPacked(ctx: Context): boolean {
  ctx.vary("Accept");
  const accepted = ctx.accepts("application/json", PACKED_MEDIA_TYPE);
  if (accepted === false) throw new Refusal("not-acceptable", `Available as application/json or ${PACKED_MEDIA_TYPE}`);
  return accepted === PACKED_MEDIA_TYPE;
}

function packedAnswer(
  ctx: Context,
  { text, digest }: { readonly text: string; readonly digest: string },
): ContentAnswer {
  const entityTag = `"${digest}"`;
  const headers = { ETag: entityTag, "Cache-Control": "private, no-cache" };
  const status = isKnown(ctx, { entityTag }) ? 304 : 200;
  return { status, mediaType: PACKED_MEDIA_TYPE, content: status === 304 ? null : text, headers };
}
