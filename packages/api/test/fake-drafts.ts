import { Readable } from "node:stream";
import type { DraftGroupMethods, EngineDrafts } from "@weft/engine/port/engine.ts";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import type { Draft } from "@weft/shared/records/draft-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { fakeCatalog } from "./fake-catalog.ts";
import type { FakeRuns } from "./fake-runs.ts";
import { planRecord } from "./fake-run-records.ts";

export const DRAFT_ID = "019a9c5e-7b1a-4cc0-8000-000000000002";
const TIME = "2026-11-23T12:00:00.000Z";

/** One draft of the tool `smooth`, which every change leaves at revision 1. */
export function fakeDrafts(runs: FakeRuns): EngineDrafts {
  const draft: Draft = {
    draft_id: DRAFT_ID,
    kind: "tool",
    id: "smooth",
    based_on: "1.0.0",
    group_id: null,
    planned_version: null,
    revision: 1,
    created_at: TIME,
    created_by: "local",
    updated_at: TIME,
    updated_by: "local",
    path: "tools/smooth/1.0.0/smooth.cwl",
    text: "class: CommandLineTool\n",
  };
  const get = (draftId: string): Draft => {
    if (draftId !== DRAFT_ID) throw new Refusal("not-found", `There is no draft ${draftId}`);
    return draft;
  };
  const requireRevision = (draftId: string, revision = 1) => {
    if (get(draftId).revision !== revision) throw new Refusal("precondition-failed", "The draft has changed");
  };
  return {
    list: () => {
      const { path: _path, text: _text, ...summary } = draft;
      return [summary];
    },
    create: async () => draft,
    get: async (_caller, draftId) => get(draftId),
    save: async (_caller, draftId, { revision, text }) => {
      requireRevision(draftId, revision);
      return { ...draft, text, revision: 2 };
    },
    files: async (_caller, draftId) => {
      const { revision } = get(draftId);
      return { revision, files: [{ path: "tests/small.yml", bytes: 11, state: "unchanged" }], removed: [] };
    },
    file: async (_caller, draftId, path) => {
      get(draftId);
      if (path !== "tests/small.yml") throw new Refusal("file-not-found", `The draft has no file ${path}`);
      return { path, text: "outputs: {}", base_text: "outputs: {}" };
    },
    changeFiles: async (_caller, draftId, { revision }) => {
      requireRevision(draftId, revision);
      return { ...draft, revision: 2 };
    },
    tests: async (_caller, draftId) => {
      get(draftId);
      return { tests: [{ name: "small", issues: [], last: null }] };
    },
    runTests: async (_caller, draftId, _body, revision) => {
      requireRevision(draftId, revision);
      return { tests: [{ name: "small", issues: [], last: null }] };
    },
    discard: async (_caller, draftId) => void get(draftId),
    editors: (_caller, draftId) => {
      get(draftId);
      return { editors: [{ name: "somebody" }] };
    },
    visit: (_caller, draftId) => {
      get(draftId);
      return { editors: [{ name: "somebody" }] };
    },
    check: async (caller, draftId, revision) => {
      requireRevision(draftId, revision);
      const tool = fakeCatalog.getTool(caller, "smooth", undefined);
      return {
        revision: 1,
        validation: tool.validation,
        proposal: { version: "1.0.1", compared_with: "1.0.0", level: null, reasons: [] },
        published_text: draft.text,
        base_text: draft.text,
        tool,
        network: null,
      };
    },
    run: async (caller, draftId, { body, idempotencyKey, revision }) => {
      requireRevision(draftId, revision);
      return runs.create(caller, { body: { ...body, tool: "smooth" }, idempotencyKey });
    },
    plan: async (caller, draftId, _body, revision) => {
      requireRevision(draftId, revision);
      return planRecord(caller, { tool: "smooth" });
    },
    publish: async (caller, draftId, { revision, version, anyway = false }) => {
      requireRevision(draftId, revision);
      const untested = anyway ? ["small"] : [];
      return {
        kind: "tool",
        id: "smooth",
        version,
        url: caller.links.tool("smooth", version),
        not_passed: untested,
        can_commit: false,
      };
    },
    ...fakeGroups(draft),
    sources: async (caller, { kind, id, version }) => {
      if (kind === "tool") fakeCatalog.getTool(caller, id, version);
      else fakeCatalog.getNetwork(caller, id, version);
      return { name: `${id}.zip`, open: () => Readable.from(["zip"]) };
    },
    draftSources: async (_caller, draftId, revision) => {
      requireRevision(draftId, revision);
      return { name: "smooth.zip", open: () => Readable.from(["zip"]) };
    },
    packedDraft: async (_caller, draftId, revision) => {
      requireRevision(draftId, revision);
      return { text: "{}", digest: "sha256:0" };
    },
    commit: async () => ({ state: "unchanged", commit: null, paths: ["tools/smooth/1.0.0"], output: "" }),
    documents: () => ({
      documents: [{ path: draft.path, kind: "tool", id: "smooth", version: "1.0.0", deprecated: false }],
      files: [draft.path],
    }),
    document: (_caller, path) => {
      if (path !== draft.path) throw new Refusal("file-not-found", `There is no document ${path}`);
      return { path, text: draft.text };
    },
  };
}

export const GROUP_ID = "019a9c5e-7b1a-4cc0-8000-000000000003";

/** One group with one draft. */
function fakeGroups({ path: _path, text: _text, ...draft }: Draft): DraftGroupMethods {
  const group: DraftGroup = {
    group_id: GROUP_ID,
    kind: "upgrade",
    title: "Networks that run smooth 2.0.0",
    created_at: TIME,
    created_by: "local",
    notes: [],
    drafts: [
      {
        draft,
        version: "1.0.1",
        status: "valid",
        issues: [],
        reasons: [],
        tests: { total: 1, passed: 0, failed: 0, running: 0 },
      },
    ],
  };
  const get = (groupId: string): DraftGroup => {
    if (groupId !== GROUP_ID) throw new Refusal("not-found", `There is no group ${groupId}`);
    return group;
  };
  return {
    outdated: () => ({ networks: [] }),
    upgrade: async () => group,
    importZip: async (_caller, { content }) => {
      await content.toArray();
      return group;
    },
    importUrl: async () => group,
    group: async (_caller, groupId) => get(groupId),
    testGroup: async (_caller, groupId) => get(groupId),
    publishGroup: async (caller, groupId, { anyway = false }) => {
      get(groupId);
      const url = caller.links.tool("smooth", "1.0.1");
      const not_passed = anyway ? ["small"] : [];
      return { published: [{ kind: "tool", id: "smooth", version: "1.0.1", url, not_passed, can_commit: false }] };
    },
    discardGroup: async (_caller, groupId) => void get(groupId),
  };
}
