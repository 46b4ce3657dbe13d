import { answerFile } from "../files/file-answer.ts";
import { mediaTypeOf } from "../files/media-type-of.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import type { Handlers } from "../routing/route-handler.ts";
import type { ServerParts } from "../server-parts.ts";

type FileHandlers = Pick<
  Handlers,
  | "GET /api/runs/{run_id}/files/{path}"
  | "GET /api/runs/{run_id}/jobs/{job_id}/log"
  | "POST /api/files"
  | "GET /api/files"
>;

/** Bytes: files of runs, logs of jobs, uploads, and the data folders to choose inputs from. */
export function createFileHandlers({ engine: { files } }: ServerParts): FileHandlers {
  return {
    "GET /api/runs/{run_id}/files/{path}": async ({ params, query, ctx }) => {
      const file = await files.runFile(params.run_id, params.path);
      ctx.attachment(file.name, { type: query.download === true ? "attachment" : "inline" });
      return answerFile(ctx, file, { mediaType: mediaTypeOf(file.name) });
    },
    "GET /api/runs/{run_id}/jobs/{job_id}/log": async ({ params, query, ctx }) => {
      const log = await files.jobLog(params.run_id, params.job_id, query.stream ?? "stderr");
      return answerFile(ctx, log, { mediaType: "text/plain; charset=utf-8", tailBytes: query.tail });
    },
    "POST /api/files": async ({ query, ctx }) => {
      const stored = await receiveUpload(ctx, (content) => files.upload(query.name, content));
      return { status: 201, body: stored, headers: { Location: stored.location } };
    },
    "GET /api/files": async ({ query }) => ({ status: 200, body: await files.browse(query) }),
  };
}
