import type { CommitVersions } from "@weft/shared/records/commit-record.ts";
import type { ImportUrl, UpgradeNetworks, UsedProcess } from "@weft/shared/records/draft-group-record.ts";
import type { CreateDraft, DraftFileChange } from "@weft/shared/records/draft-record.ts";
import type { RunTests } from "@weft/shared/records/test-record.ts";
import type { Caller } from "../port/caller.ts";
import type { CatalogName, DraftRunBody, Engine } from "../port/engine.ts";
import type { BuiltFile } from "../port/route-methods.ts";
import { ask, askArchive, outcomeOf } from "./ask-engine.ts";

type Revised<Change> = Change & { readonly revision: number };

/** Asks the methods about drafts by short names. */
export function draftsOf(engine: Engine) {
  const draft = (draft_id: string) => ({ draft_id });
  const group = (group_id: string) => ({ group_id });
  return {
    ...engine.drafts,
    list: async (caller: Caller) => (await ask(engine, "GET /api/drafts", { caller })).drafts,
    create: (caller: Caller, body: CreateDraft) => ask(engine, "POST /api/drafts", { caller, body }),
    get: (caller: Caller, id: string) => ask(engine, "GET /api/drafts/{draft_id}", { caller, params: draft(id) }),
    save: (caller: Caller, id: string, { revision, ...body }: Revised<{ readonly text: string }>) =>
      ask(engine, "POST /api/drafts/{draft_id}", { caller, params: draft(id), revision, body }),
    discard: (caller: Caller, id: string, revision?: number) =>
      ask(engine, "DELETE /api/drafts/{draft_id}", { caller, params: draft(id), revision }),
    files: (caller: Caller, id: string) =>
      ask(engine, "GET /api/drafts/{draft_id}/files", { caller, params: draft(id) }),
    file: (caller: Caller, id: string, path: string) =>
      ask(engine, "GET /api/drafts/{draft_id}/files/{path}", { caller, params: { draft_id: id, path } }),
    changeFiles: (
      caller: Caller,
      id: string,
      { revision, ...body }: Revised<{ readonly text?: string; readonly changes: DraftFileChange[] }>,
    ) => ask(engine, "POST /api/drafts/{draft_id}/files", { caller, params: draft(id), revision, body }),
    tests: (caller: Caller, id: string) =>
      ask(engine, "GET /api/drafts/{draft_id}/tests", { caller, params: draft(id) }),
    runTests: (caller: Caller, id: string, body: RunTests, revision?: number) =>
      ask(engine, "POST /api/drafts/{draft_id}/tests", { caller, params: draft(id), revision, body }),
    check: (caller: Caller, id: string, revision?: number) =>
      ask(engine, "GET /api/drafts/{draft_id}/check", { caller, params: draft(id), revision }),
    packed: async (caller: Caller, id: string, revision?: number) =>
      (await outcomeOf(engine, "GET /api/drafts/{draft_id}/packed", {
        ...{ caller, params: draft(id), revision },
      })) as BuiltFile,
    plan: (caller: Caller, id: string, body: DraftRunBody, revision?: number) =>
      ask(engine, "POST /api/drafts/{draft_id}/plans", { caller, params: draft(id), revision, body }),
    commit: (caller: Caller, body: CommitVersions) => ask(engine, "POST /api/commits", { caller, body }),
    sources: (caller: Caller, { kind, id, version }: CatalogName) =>
      kind === "tool"
        ? askArchive(engine, "GET /api/tools/{id}/{version}/sources.zip", {
            caller,
            params: { id, version: version ?? "" },
          })
        : askArchive(engine, "GET /api/networks/{id}/sources.zip", { caller, params: { id }, query: { version } }),
    draftSources: (caller: Caller, id: string, revision?: number) =>
      askArchive(engine, "GET /api/drafts/{draft_id}/sources.zip", { caller, params: draft(id), revision }),
    outdated: async (caller: Caller, query: UsedProcess) =>
      (await ask(engine, "GET /api/upgrades", { caller, query })).networks,
    upgrade: (caller: Caller, body: UpgradeNetworks) => ask(engine, "POST /api/upgrades", { caller, body }),
    importUrl: (caller: Caller, body: ImportUrl) => ask(engine, "POST /api/draft-imports/url", { caller, body }),
    group: (caller: Caller, id: string) =>
      ask(engine, "GET /api/draft-groups/{group_id}", { caller, params: group(id) }),
    testGroup: (caller: Caller, id: string) =>
      ask(engine, "POST /api/draft-groups/{group_id}/tests", { caller, params: group(id) }),
    discardGroup: (caller: Caller, id: string) =>
      ask(engine, "DELETE /api/draft-groups/{group_id}", { caller, params: group(id) }),
  };
}
