import type { ServableArchive } from "@weft/engine/engine.ts";
import { FILE_HEADERS } from "../files/file-answer.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer, Handlers } from "../routing/route-handler.ts";
import type { ServerParts } from "../server-parts.ts";

type ArchiveHandlers = Pick<Handlers, "GET /api/runs/{run_id}/outputs.zip">;

/** Zips of what runs and jobs gave. */
export function createArchiveHandlers({ engine }: ServerParts): ArchiveHandlers {
  const { archives } = engine;
  return {
    "GET /api/runs/{run_id}/outputs.zip": async ({ params, ctx }) =>
      answerArchive(ctx, await archives.outputs(params.run_id)),
  };
}

/** Without a length or ranges: it is made while it is sent. */
function answerArchive(ctx: Context, archive: ServableArchive): ContentAnswer {
  ctx.attachment(archive.name);
  const headers = { ...FILE_HEADERS, "Accept-Ranges": "none", "Cache-Control": "no-store" };
  const content = ctx.method === "HEAD" ? null : archive.open();
  return { status: 200, mediaType: "application/zip", content, headers };
}
