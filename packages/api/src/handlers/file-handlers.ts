import { answerFile, FILE_HEADERS } from "../files/file-answer.ts";
import { followLog, notYet } from "../files/follow-log.ts";
import { mediaTypeOf } from "@weft/shared/media-type-of.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import { leavingOrClosing } from "../http/leaving-or-closing.ts";
import type { ContentAnswer, Handlers, RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

const LOG_MEDIA_TYPE = "text/plain; charset=utf-8";

/** Bytes: files of runs, logs of jobs, uploads, and the data folders to choose inputs from. */
export function createFileHandlers(parts: ServerParts): Handlers {
  const { files } = parts.engine;
  return {
    "GET /api/runs/{run_id}/files/{path}": async ({ caller, params, query, ctx }) => {
      const file = await files.runFile(caller, params.run_id, params.path);
      ctx.attachment(file.name, { type: query.download === true ? "attachment" : "inline" });
      return answerFile(ctx, file, { mediaType: mediaTypeOf(file.name) });
    },
    "GET /api/runs/{run_id}/jobs/{job_id}/log": async (request) => {
      const { caller, params, query, ctx } = request;
      if (query.follow === true) return followedLog(parts, request);
      const { run_id: runId, job_id: jobId } = params;
      const log = await files.jobLog(caller, { runId, jobId, stream: query.stream ?? "stderr" });
      const answer = await answerFile(ctx, log, { mediaType: LOG_MEDIA_TYPE, tailBytes: query.tail });
      // A cache that stored part of a growing log would answer a later range from that part alone.
      return log.isGrowing ? { ...answer, headers: { ...answer.headers, "Cache-Control": "no-store" } } : answer;
    },
    "POST /api/files": async ({ caller, query, ctx }) => {
      const stored = await receiveUpload(ctx, (content) => files.upload(caller, query.name, content));
      return { status: 201, body: stored, headers: { Location: stored.location } };
    },
  };
}

/** Streams a log without a length or ranges, because the final length is not known yet. */
async function followedLog(
  { engine, closing, login }: ServerParts,
  { caller, params, query, ctx }: RouteRequest<"GET /api/runs/{run_id}/jobs/{job_id}/log">,
): Promise<ContentAnswer> {
  const { run_id: runId, job_id: jobId } = params;
  const headers = { ...FILE_HEADERS, "Accept-Ranges": "none", "Cache-Control": "no-store", "X-Accel-Buffering": "no" };
  const answer = { status: 200, mediaType: LOG_MEDIA_TYPE, headers };
  if (ctx.method === "HEAD") {
    // This refuses an unknown job.
    engine.runs.job(caller, runId, jobId);
    return { ...answer, content: null };
  }
  const leaving = leavingOrClosing(ctx, closing);
  const stream = query.stream ?? "stderr";
  // A refusal must come before the answer has begun.
  await engine.files.jobLog(caller, { runId, jobId, stream }).catch(notYet);
  const isCurrent = () => login.isCurrent(ctx.state.identity);
  const log = { caller, runId, jobId, stream, tailBytes: query.tail, leaving, isCurrent };
  return { ...answer, content: followLog(engine, log) };
}
