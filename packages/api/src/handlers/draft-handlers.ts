import { receiveUpload } from "../files/receive-upload.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** Requests about drafts with uploads, or other names in the audit log. */
export function createDraftHandlers({ engine: { drafts } }: ServerParts): Handlers {
  return {
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
  };
}
