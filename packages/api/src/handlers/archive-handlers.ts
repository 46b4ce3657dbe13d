import { answerArchive } from "../files/answer-archive.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type ArchiveHandlers = Pick<
  Handlers,
  "GET /api/runs/{run_id}/outputs.zip" | "GET /api/runs/{run_id}/jobs/{job_id}/bundle"
>;

/** Zips: the outputs of a run, and the bundle of a job. */
export function createArchiveHandlers({ engine }: ServerParts): ArchiveHandlers {
  const { archives } = engine;
  return {
    "GET /api/runs/{run_id}/outputs.zip": async ({ caller, params, ctx }) =>
      answerArchive(ctx, await archives.outputs(caller, params.run_id)),
    "GET /api/runs/{run_id}/jobs/{job_id}/bundle": async ({ caller, params, query, ctx }) => {
      const wanted = { runId: params.run_id, jobId: params.job_id, withData: query.data === true };
      return answerArchive(ctx, await archives.job(caller, wanted));
    },
  };
}
