import { FILE_HEADERS } from "../files/file-answer.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import { runEntityTag } from "../http/entity-tag.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** Requests about drafts with uploads, idempotency keys, other names in the audit log, or a file as the answer. */
export function createDraftHandlers({ engine: { drafts } }: ServerParts): Handlers {
  return {
    "POST /api/drafts/{draft_id}/runs": async ({ caller, params, headers, revision, body }) => {
      const idempotencyKey = headers["idempotency-key"];
      const { run, replayed } = await drafts.run(caller, params.draft_id, { body, idempotencyKey, revision });
      const entityTag = runEntityTag(run.run_id, run.revision);
      const replay = replayed ? { "Idempotency-Replayed": "true" } : {};
      return { status: 201, body: run, headers: { Location: caller.links.run(run.run_id), ...replay }, entityTag };
    },
    "POST /api/drafts/{draft_id}/publish": async ({ caller, params, revision, body, ctx }) => {
      const published = await drafts.publish(caller, params.draft_id, { revision, ...body });
      if (published.not_passed.length > 0) ctx.state.auditedAs = "publishDraft.anyway";
      return { status: 201, body: published, headers: { Location: published.url } };
    },
    "POST /api/draft-groups/{group_id}/publish": async ({ caller, params, body, ctx }) => {
      const published = await drafts.publishGroup(caller, params.group_id, body);
      if (published.published.some(({ not_passed: left }) => left.length > 0))
        ctx.state.auditedAs = "publishDraftGroup.anyway";
      return { status: 201, body: published };
    },
    "POST /api/draft-imports": async ({ caller, query, ctx }) => {
      const { title = "a zip", collisions = "new-version" } = query;
      const group = await receiveUpload(ctx, (content) => drafts.importZip(caller, { content, title, collisions }));
      const headers = { Location: `${caller.links.base}/api/draft-groups/${group.group_id}` };
      return { status: 201, body: group, headers };
    },
    "GET /api/drafts/{draft_id}/packed": async ({ caller, params, revision, ctx }) => {
      const { text } = await drafts.packedDraft(caller, params.draft_id, revision);
      ctx.attachment("draft.cwl");
      const sent = { ...FILE_HEADERS, "Cache-Control": "no-store" };
      return { status: 200, mediaType: "application/cwl+json", content: text, headers: sent };
    },
  };
}
