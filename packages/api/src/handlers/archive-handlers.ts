import { answerArchive } from "../files/answer-archive.ts";
import type { Handlers } from "../routing/route-handler.ts";
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
