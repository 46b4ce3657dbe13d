import { answerArchive } from "../files/answer-archive.ts";
import { FILE_HEADERS } from "../files/file-answer.ts";
import type { Handlers } from "../http/route-handler.ts";
import { openWorkbench, seenRevision } from "./draft-handlers.ts";
import type { ServerParts } from "./server-parts.ts";

type ExportHandlers = Pick<
  Handlers,
  | "GET /api/tools/{id}/{version}/sources.zip"
  | "GET /api/networks/{id}/sources.zip"
  | "GET /api/drafts/{draft_id}/sources.zip"
  | "GET /api/drafts/{draft_id}/packed"
  | "POST /api/commits"
>;

/** Exports of versions and drafts, and commits of versions. */
export function createExportHandlers(parts: ServerParts): ExportHandlers {
  const { drafts } = parts.engine;
  const on = () => openWorkbench(parts);
  return {
    "GET /api/tools/{id}/{version}/sources.zip": async ({ caller, params, ctx }) =>
      answerArchive(ctx, await drafts.sources(caller, { kind: "tool", ...params })),
    "GET /api/networks/{id}/sources.zip": async ({ caller, params: { id }, query: { version }, ctx }) =>
      answerArchive(ctx, await drafts.sources(caller, { kind: "network", id, version })),
    "GET /api/drafts/{draft_id}/sources.zip": async ({ caller, params, headers, ctx }) =>
      answerArchive(ctx, await on().draftSources(caller, params.draft_id, seenRevision(headers))),
    "GET /api/drafts/{draft_id}/packed": async ({ caller, params, headers, ctx }) => {
      const { text } = await on().packedDraft(caller, params.draft_id, seenRevision(headers));
      ctx.attachment("draft.cwl");
      const sent = { ...FILE_HEADERS, "Cache-Control": "no-store" };
      return { status: 200, mediaType: "application/cwl+json", content: text, headers: sent };
    },
    "POST /api/commits": async ({ caller, body }) => ({ status: 200, body: await on().commit(caller, body) }),
  };
}
