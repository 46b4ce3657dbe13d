import type { Context } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import type { ContentAnswer, UntypedJsonAnswer } from "./route-handler.ts";

/** Puts a handler's answer on the wire: 304 where the client has it already, headers only for HEAD. */
export function writeAnswer(ctx: Context, answer: UntypedJsonAnswer | ContentAnswer): void {
  ctx.status = answer.status;
  ctx.set(answer.headers ?? {});
  if ("mediaType" in answer) writeContent(ctx, answer);
  else writeJson(ctx, answer);
}

function writeContent(ctx: Context, answer: ContentAnswer): void {
  ctx.compress = false;
  ctx.body = answer.content;
  // Koa makes an answer with an empty body 204 and drops its headers.
  ctx.status = answer.status;
  ctx.set(answer.headers);
  if (answer.status !== 304) ctx.set("Content-Type", answer.mediaType);
}

function writeJson(ctx: Context, answer: UntypedJsonAnswer): void {
  if (answer.entityTag !== undefined) ctx.set({ ETag: answer.entityTag, "Cache-Control": "private, no-cache" });
  if (answer.body === undefined) {
    ctx.body = null;
    ctx.status = answer.status;
    return;
  }
  if (answer.entityTag !== undefined && isKnown(ctx, { entityTag: answer.entityTag })) {
    ctx.status = 304;
    return;
  }
  ctx.body = JSON.stringify(answer.body);
  ctx.set("Content-Type", "application/json; charset=utf-8");
}
