import type { ServableArchive } from "@weft/engine/port/route-methods.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer } from "../http/route-handler.ts";
import { FILE_HEADERS } from "./file-answer.ts";

/** Sends an archive without a length or ranges, because it is created while it is sent. */
export function answerArchive(ctx: Context, archive: ServableArchive): ContentAnswer {
  ctx.attachment(archive.name);
  const headers = { ...FILE_HEADERS, "Accept-Ranges": "none", "Cache-Control": "no-store" };
  if (ctx.method !== "HEAD") return { status: 200, mediaType: "application/zip", content: archive.open(), headers };
  archive.discard?.();
  return { status: 200, mediaType: "application/zip", content: null, headers };
}
