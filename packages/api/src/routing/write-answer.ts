import { Readable } from "node:stream";
import type { Context } from "../http/context.ts";
import { textEntityTag } from "../http/entity-tag.ts";
import { isKnown } from "../http/is-known.ts";
import type { ContentAnswer, UntypedAnswer, UntypedJsonAnswer } from "../http/route-handler.ts";

/** Sends a handler's answer: 304 if the client already has it, and only headers for HEAD. */
export function writeAnswer(ctx: Context, answer: UntypedAnswer): void {
  ctx.status = answer.status;
  if ("json" in answer) return writeText(ctx, answer.json, answer.entityTag);
  ctx.set(answer.headers ?? {});
  if ("mediaType" in answer) writeContent(ctx, answer);
  else writeJson(ctx, answer);
}

function writeContent(ctx: Context, answer: ContentAnswer): void {
  ctx.compress = false;
  ctx.body = answer.content;
  // Set after the body, because Koa sets status 204 and drops headers for an empty one.
  ctx.status = answer.status;
  ctx.set(answer.headers);
  if (answer.status !== 304) ctx.set("Content-Type", answer.mediaType);
  // The first bytes of a live stream may come late, so send the headers now to show the client that it exists.
  if (answer.content instanceof Readable && !ctx.res.hasHeader("Content-Length")) ctx.flushHeaders();
}

/** A record without a revision gets a tag of its content. The answer to a POST gets none: it cannot be requested again. */
function writeJson(ctx: Context, answer: UntypedJsonAnswer): void {
  if (answer.body === undefined) {
    ctx.body = null;
    ctx.status = answer.status;
    return;
  }
  const text = JSON.stringify(answer.body);
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  writeText(ctx, text, answer.entityTag ?? (isRead ? textEntityTag(text) : undefined));
}

function writeText(ctx: Context, text: string | Buffer, entityTag: string | undefined): void {
  if (entityTag !== undefined) ctx.set({ ETag: entityTag, "Cache-Control": "private, no-cache" });
  if (entityTag !== undefined && isKnown(ctx, { entityTag })) {
    ctx.status = 304;
    return;
  }
  ctx.body = text;
  ctx.set("Content-Type", "application/json; charset=utf-8");
}
