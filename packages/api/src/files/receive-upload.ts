import type { Readable } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { BODY_DEADLINE_MS } from "../http/http-limits.ts";
import { brokenForm, openForm, relayContent } from "../forms/open-form.ts";
import { letClientSend } from "../http/read-body.ts";

/**
 * Passes the content of an upload to `store` while it arrives: the body itself, or the one file of a
 * `multipart/form-data` form. An upload may take any time while data arrives; one that stalls for a minute is aborted.
 */
export async function receiveUpload<Stored>(
  ctx: Context,
  store: (content: Readable) => Promise<Stored>,
): Promise<Stored> {
  const request = ctx.req;
  const type = ctx.get("Content-Type").toLowerCase();
  if (type.startsWith("multipart/")) requireForm(type);
  request.setTimeout(BODY_DEADLINE_MS, () => request.destroy(new Refusal("request-timeout", "The upload stalled")));
  letClientSend(request, ctx.res);
  return type.startsWith("multipart/") ? storeFormFile(ctx, store) : relayContent(request, store);
}

function requireForm(type: string): void {
  if (!type.startsWith("multipart/form-data"))
    throw new Refusal("unsupported-media-type", "The only accepted multipart type is multipart/form-data");
}

/** Stores the first file of a form; the rest is read and discarded. */
async function storeFormFile<Stored>(ctx: Context, store: (content: Readable) => Promise<Stored>): Promise<Stored> {
  const { req: request } = ctx;
  const form = openForm(ctx, { files: 1, fields: 16, fieldSize: 4096, parts: 17 });
  const { promise, resolve, reject } = Promise.withResolvers<Stored>();
  let files = 0;
  form.on("file", (_field, content) => {
    files += 1;
    content.once("error", (error) => reject(brokenForm(error)));
    relayContent(content, store).then(resolve, reject);
  });
  form.on("close", () => files === 0 && reject(new Refusal("malformed-request", "The form holds no file")));
  form.on("error", (error) => reject(brokenForm(error)));
  request.once("error", (error) => form.destroy(error));
  request.pipe(form);
  return promise.finally(() => request.unpipe(form).resume());
}
