import type { BuiltFile, ServableArchive } from "@weft/engine/port/route-methods.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer } from "../http/route-handler.ts";
import { FILE_HEADERS } from "./file-answer.ts";

/** Built for each request, so never cached or sent in parts. */
const HEADERS = { ...FILE_HEADERS, "Accept-Ranges": "none", "Cache-Control": "no-store" };

/** Sends a file that was built for this request. */
export function answerBuiltFile(ctx: Context, { name, mediaType, content }: BuiltFile): ContentAnswer {
  if (name !== undefined) ctx.attachment(name);
  return { status: 200, mediaType, content: ctx.method === "HEAD" ? null : content, headers: HEADERS };
}

/** Sends an archive without a length or ranges, because it is created while it is sent. */
export function answerArchive(ctx: Context, archive: ServableArchive): ContentAnswer {
  ctx.attachment(archive.name);
  const answer = { status: 200, mediaType: "application/zip", headers: HEADERS };
  if (ctx.method !== "HEAD") return { ...answer, content: archive.open() };
  archive.discard?.();
  return { ...answer, content: null };
}
