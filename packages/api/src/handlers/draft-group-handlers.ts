import type { Caller } from "@weft/engine/port/engine.ts";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import type { Handlers } from "../http/route-handler.ts";
import { openWorkbench } from "./draft-handlers.ts";
import type { ServerParts } from "./server-parts.ts";

type DraftGroupHandlers = Pick<
  Handlers,
  | "GET /api/upgrades"
  | "POST /api/upgrades"
  | "POST /api/draft-imports"
  | "POST /api/draft-imports/url"
  | "GET /api/draft-groups/{group_id}"
  | "POST /api/draft-groups/{group_id}/tests"
  | "POST /api/draft-groups/{group_id}/publish"
  | "DELETE /api/draft-groups/{group_id}"
>;

/** Drafts that belong together, and upgrades of networks. */
export function createDraftGroupHandlers(parts: ServerParts): DraftGroupHandlers {
  const on = () => openWorkbench(parts);
  return {
    "GET /api/upgrades": ({ caller, query }) => ({
      status: 200,
      body: parts.engine.drafts.outdated(caller, query),
    }),
    "POST /api/upgrades": async ({ caller, body }) => created(caller, await on().upgrade(caller, body)),
    "POST /api/draft-imports": async ({ caller, query, ctx }) => {
      const drafts = on();
      const { title = "a zip", collisions = "new-version" } = query;
      const group = await receiveUpload(ctx, (content) => drafts.importZip(caller, { content, title, collisions }));
      return created(caller, group);
    },
    "POST /api/draft-imports/url": async ({ caller, body }) => created(caller, await on().importUrl(caller, body)),
    "GET /api/draft-groups/{group_id}": async ({ caller, params }) => ({
      status: 200,
      body: await on().group(caller, params.group_id),
    }),
    "POST /api/draft-groups/{group_id}/tests": async ({ caller, params }) => ({
      status: 202,
      body: await on().testGroup(caller, params.group_id),
    }),
    "POST /api/draft-groups/{group_id}/publish": async ({ caller, params, body, ctx }) => {
      const published = await on().publishGroup(caller, params.group_id, body);
      if (published.published.some(({ not_passed: left }) => left.length > 0))
        ctx.state.auditedAs = "publishDraftGroup.anyway";
      return { status: 201, body: published };
    },
    "DELETE /api/draft-groups/{group_id}": async ({ caller, params }) => {
      await on().discardGroup(caller, params.group_id);
      return { status: 204, body: undefined };
    },
  };
}

function created({ links }: Caller, group: DraftGroup) {
  const headers = { Location: `${links.base}/api/draft-groups/${group.group_id}` };
  return { status: 201, body: group, headers } as const;
}
