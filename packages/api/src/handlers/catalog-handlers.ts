import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import { ok, type ContentAnswer, type Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

const PACKED_MEDIA_TYPE = "application/cwl+json";

/** Networks and tools: as records, or as packed CWL if the client accepts that. */
export function createCatalogHandlers({ engine: { catalog } }: ServerParts): Handlers {
  const packed = (ctx: Context, kind: "network" | "tool", id: string, version: string | undefined) =>
    packedAnswer(ctx, catalog.packed(ctx.state.caller, { kind, id, version }));
  return {
    "GET /api/networks/{id}": ({ caller, params: { id }, query: { version }, ctx }) =>
      wantsPacked(ctx) ? packed(ctx, "network", id, version) : ok(catalog.getNetwork(caller, id, version)),
    "GET /api/tools/{id}": ({ caller, params: { id }, ctx }) =>
      wantsPacked(ctx) ? packed(ctx, "tool", id, undefined) : ok(catalog.getTool(caller, id, undefined)),
    "GET /api/tools/{id}/{version}": ({ caller, params: { id, version }, ctx }) =>
      wantsPacked(ctx) ? packed(ctx, "tool", id, version) : ok(catalog.getTool(caller, id, version)),
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
