import type { RouteId, RouteResult } from "@weft/shared/routes/routes.ts";
import type { Caller } from "../port/caller.ts";
import type { RouteCall, RouteMethods, ServableArchive, TextDocument } from "../port/route-methods.ts";

type Asked<Id extends RouteId> = Partial<RouteCall<Id>> & { readonly caller: Caller };
type Answering = { readonly methods: RouteMethods };

/** The record that a method of the engine returns when the API calls it. Without a query, asks with an empty one. */
export async function ask<Id extends RouteId>(engine: Answering, id: Id, asked: Asked<Id>): Promise<RouteResult<Id>> {
  const outcome = await outcomeOf(engine, id, asked);
  const isText = typeof outcome === "object" && outcome !== null && "sha256" in outcome && "bytes" in outcome;
  // The key of the map names the route.
  return (isText ? JSON.parse(String(outcome.bytes)) : outcome) as RouteResult<Id>;
}

export async function askText<Id extends RouteId>(engine: Answering, id: Id, asked: Asked<Id>): Promise<string> {
  return ((await outcomeOf(engine, id, asked)) as TextDocument).text; // only routes of texts are asked
}

export async function askArchive<Id extends RouteId>(
  engine: Answering,
  id: Id,
  asked: Asked<Id>,
): Promise<ServableArchive> {
  return (await outcomeOf(engine, id, asked)) as ServableArchive; // only routes of archives are asked
}

/** The outcome of a method of the engine: a record, or a text that the API sends. */
export async function outcomeOf<Id extends RouteId>(
  { methods }: Answering,
  id: Id,
  asked: Asked<Id>,
): Promise<unknown> {
  const method: unknown = methods[id];
  if (typeof method !== "function") throw new Error(`no method answers ${id}`);
  return method({ params: undefined, query: {}, headers: {}, body: undefined, revision: undefined, ...asked });
}
