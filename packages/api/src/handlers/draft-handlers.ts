import type { EngineDrafts } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Draft } from "@weft/shared/records/draft-record.ts";
import { runEntityTag } from "../http/entity-tag.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type DraftHandlers = Pick<
  Handlers,
  | "GET /api/drafts"
  | "POST /api/drafts"
  | "GET /api/drafts/{draft_id}"
  | "POST /api/drafts/{draft_id}"
  | "DELETE /api/drafts/{draft_id}"
  | "GET /api/drafts/{draft_id}/files"
  | "POST /api/drafts/{draft_id}/files"
  | "GET /api/drafts/{draft_id}/files/{path}"
  | "GET /api/drafts/{draft_id}/tests"
  | "POST /api/drafts/{draft_id}/tests"
  | "GET /api/drafts/{draft_id}/editors"
  | "POST /api/drafts/{draft_id}/editors"
  | "GET /api/drafts/{draft_id}/check"
  | "POST /api/drafts/{draft_id}/runs"
  | "POST /api/drafts/{draft_id}/plans"
  | "POST /api/drafts/{draft_id}/publish"
  | "GET /api/documents"
  | "GET /api/documents/{path}"
>;

/** Drafts and publishing; `--no-workbench` refuses all of it but reading the catalog's documents. */
export function createDraftHandlers({ engine, workbench }: ServerParts): DraftHandlers {
  const on = () => openWorkbench({ engine, workbench });
  return {
    "GET /api/drafts": ({ caller }) => ({ status: 200, body: { drafts: on().list(caller) } }),
    "POST /api/drafts": async ({ caller, body }) => {
      const draft = await on().create(caller, body);
      const headers = { Location: `${caller.links.base}/api/drafts/${draft.draft_id}` };
      return { status: 201, body: draft, headers, entityTag: tagOf(draft) };
    },
    "GET /api/drafts/{draft_id}": async ({ caller, params }) => {
      const draft = await on().get(caller, params.draft_id);
      return { status: 200, body: draft, entityTag: tagOf(draft) };
    },
    "POST /api/drafts/{draft_id}": async ({ caller, params, headers, body }) => {
      const draft = await on().save(caller, params.draft_id, { revision: revisionOf(headers), ...body });
      return { status: 200, body: draft, entityTag: tagOf(draft) };
    },
    "DELETE /api/drafts/{draft_id}": async ({ caller, params, headers }) => {
      await on().discard(caller, params.draft_id, seenRevision(headers));
      return { status: 204, body: undefined };
    },
    "GET /api/drafts/{draft_id}/files": async ({ caller, params }) => ({
      status: 200,
      body: await on().files(caller, params.draft_id),
    }),
    "POST /api/drafts/{draft_id}/files": async ({ caller, params, headers, body }) => {
      const draft = await on().changeFiles(caller, params.draft_id, { revision: revisionOf(headers), ...body });
      return { status: 200, body: draft, entityTag: tagOf(draft) };
    },
    "GET /api/drafts/{draft_id}/files/{path}": async ({ caller, params }) => ({
      status: 200,
      body: await on().file(caller, params.draft_id, params.path),
    }),
    "GET /api/drafts/{draft_id}/tests": async ({ caller, params }) => ({
      status: 200,
      body: await on().tests(caller, params.draft_id),
    }),
    "POST /api/drafts/{draft_id}/tests": async ({ caller, params, headers, body }) => ({
      status: 202,
      body: await on().runTests(caller, params.draft_id, body, seenRevision(headers)),
    }),
    "GET /api/drafts/{draft_id}/editors": ({ caller, params }) => ({
      status: 200,
      body: on().editors(caller, params.draft_id),
    }),
    "POST /api/drafts/{draft_id}/editors": ({ caller, params, body: { editor, leaves = false } }) => ({
      status: 200,
      body: on().visit(caller, params.draft_id, { editor, leaves }),
    }),
    "GET /api/drafts/{draft_id}/check": async ({ caller, params, headers }) => ({
      status: 200,
      body: await on().check(caller, params.draft_id, seenRevision(headers)),
    }),
    "POST /api/drafts/{draft_id}/runs": async ({ caller, params, headers, body }) => {
      const idempotencyKey = headers["idempotency-key"];
      const revision = seenRevision(headers);
      const { run, replayed } = await on().run(caller, params.draft_id, { body, idempotencyKey, revision });
      const entityTag = runEntityTag(run.run_id, run.revision);
      const replay = replayed ? { "Idempotency-Replayed": "true" } : {};
      return { status: 201, body: run, headers: { Location: caller.links.run(run.run_id), ...replay }, entityTag };
    },
    "POST /api/drafts/{draft_id}/plans": async ({ caller, params, headers, body }) => ({
      status: 200,
      body: await on().plan(caller, params.draft_id, body, seenRevision(headers)),
    }),
    "POST /api/drafts/{draft_id}/publish": async ({ caller, params, headers, body, ctx }) => {
      const published = await on().publish(caller, params.draft_id, { revision: revisionOf(headers), ...body });
      if (published.not_passed.length > 0) ctx.state.auditedAs = "publishDraft.anyway";
      return { status: 201, body: published, headers: { Location: published.url } };
    },
    "GET /api/documents": ({ caller }) => ({ status: 200, body: engine.drafts.documents(caller) }),
    "GET /api/documents/{path}": ({ caller, params }) => ({
      status: 200,
      body: engine.drafts.document(caller, params.path),
    }),
  };
}

/** Refuses everything where the workbench is off. */
export function openWorkbench({ engine, workbench }: Pick<ServerParts, "engine" | "workbench">): EngineDrafts {
  if (!workbench) throw new Refusal("not-found", "The workbench of this server is off (--no-workbench).");
  return engine.drafts;
}

function tagOf({ revision }: Draft): string {
  return `"${revision}"`;
}

/** The declaration of the route has checked its form. */
function revisionOf(headers: { readonly "if-match": string }): number {
  return Number(headers["if-match"].slice(1, -1));
}

/** The revision that the caller has seen; undefined: the request is about whichever the draft has. */
export function seenRevision({ "if-match": tag }: { readonly "if-match"?: string | undefined }): number | undefined {
  return tag === undefined ? undefined : revisionOf({ "if-match": tag });
}
