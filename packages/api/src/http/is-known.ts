import type { Context } from "./context.ts";

/**
 * True when the client already has the response that is about to be sent (RFC 9110 section 13). Unlike Koa's
 * `ctx.fresh`, it ignores `Cache-Control: no-cache`: browsers add that to every fetch() that sets If-None-Match itself,
 * and it is meant for caches in between.
 */
export function isKnown(
  ctx: Context,
  headers: { readonly entityTag?: string; readonly lastModified?: string },
): boolean {
  if (ctx.method !== "GET" && ctx.method !== "HEAD") return false;
  const ifNoneMatch = ctx.get("If-None-Match");
  if (ifNoneMatch !== "") return headers.entityTag !== undefined && matchesTag(ifNoneMatch, headers.entityTag);
  return Date.parse(headers.lastModified ?? "") <= Date.parse(ctx.get("If-Modified-Since"));
}

/** Whether a value of If-None-Match names this tag, or any. */
function matchesTag(ifNoneMatch: string, entityTag: string): boolean {
  return ifNoneMatch === "*" || ifNoneMatch.split(",").some((known) => opaque(known.trim()) === opaque(entityTag));
}

/** Weak comparison. */
function opaque(entityTag: string): string {
  return entityTag.replace(/^W\//, "");
}
