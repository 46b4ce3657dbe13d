import { Refusal } from "@weft/shared/records/refusal.ts";
import type { PublishDraft, PublishedVersion } from "@weft/shared/records/draft-record.ts";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { requireRunnable } from "../catalog/catalog-entry.ts";
import { baseOf, publishedText } from "../drafts/draft-place.ts";
import { requireRevision, type StoredDraft } from "../drafts/draft-store.ts";
import { DraftPeers } from "../drafts/draft-peers.ts";
import { isInWorkTree } from "../drafts/git-commit.ts";
import { loadDraft } from "../drafts/load-draft.ts";
import { publishVersions, type NewVersion } from "../drafts/publish-version.ts";
import type { Caller } from "../port/caller.ts";
import type { DraftParts } from "./draft-methods.ts";
import { presentTests } from "../tests/test-methods.ts";

export interface PublishRequest extends PublishDraft {
  readonly draft: StoredDraft;
  readonly revision: number;
  /** IDs of the drafts that are published with it. */
  readonly together?: ReadonlySet<string>;
}

/** Names of folders that have another meaning. */
const RESERVED = new Set<string>([UNVERSIONED, "examples", "tests", "draft", "latest", "newest"]);

/** Writes a version into the catalog once its tests have passed. */
export async function publishDraft(
  caller: Caller,
  request: PublishRequest,
  options: DraftParts,
): Promise<PublishedVersion> {
  const { version, not_passed } = await prepareVersion(caller, request, options);
  await publishVersions(options.catalog.root, [version]);
  await options.reload();
  const can_commit = options.commits && (await isInWorkTree(options.catalog.root));
  return { ...nameOf(caller, version), not_passed, can_commit };
}

/** Name and address of a new version. */
export function nameOf({ links }: Caller, { kind, id, version }: Pick<NewVersion, "kind" | "id" | "version">) {
  return { kind, id, version, url: kind === "tool" ? links.tool(id, version) : links.network(id, version) };
}

/** A version to write into the catalog. Refuses drafts with errors, and those whose tests have not passed. */
export async function prepareVersion(
  caller: Caller,
  { draft, revision, version, anyway = false, together = new Set() }: PublishRequest,
  options: DraftParts,
): Promise<{ readonly version: NewVersion; readonly not_passed: string[] }> {
  const { catalog, store, nowMs } = options;
  const { kind, id, files: changes } = draft;
  requireRevision(draft, revision);
  if (RESERVED.has(version))
    throw new Refusal("invalid-body", `"${version}" cannot be a version.`, {
      errors: [{ pointer: "/version", code: "reserved", detail: "has another meaning; use a version such as 1.0.0" }],
    });
  const entry = await loadDraft(draft, options);
  requireRunnable(entry, "The draft");
  await requirePeers(draft, together, options);
  const left = notPassed(presentTests(caller, { entry, draft }, options));
  if (!anyway && left.length > 0) throw notTested(left);
  const at = new Date(nowMs()).toISOString();
  const copied = { base: baseOf(draft, catalog)?.place, changes, contents: store.contents };
  const text = publishedText(draft, catalog);
  return {
    version: { kind, id, version, text, ...copied, by: caller.principal, at },
    not_passed: left.map(({ name }) => name),
  };
}

/** Refuses a draft that runs other drafts of its group, unless they are published with it. */
async function requirePeers(
  draft: StoredDraft,
  together: ReadonlySet<string>,
  { store, catalog }: DraftParts,
): Promise<void> {
  const peers = await new DraftPeers(draft, store, catalog).of(draft);
  const left = peers.filter((peer) => peer.draft_id !== draft.draft_id && !together.has(peer.draft_id));
  if (left.length === 0) return;
  const errors = left.slice(0, 100).map(({ kind, id, planned_version: version }) => ({
    code: "unpublished-draft",
    detail: `It runs the ${kind} "${id}" ${version ?? ""}, which is a draft of the group.`,
  }));
  const detail = `Publish the drafts that this one runs with it. ${errors[0]?.detail ?? ""}`;
  throw new Refusal("conflict", detail, { errors });
}

function notPassed(tests: readonly TestRecord[]): readonly TestRecord[] {
  return tests.filter(({ last }) => last?.state !== "passed" || !last.is_current);
}

function notTested(tests: readonly TestRecord[]): Refusal {
  const errors = tests.slice(0, 100).map(({ name, issues, last }) => ({
    pointer: "/anyway",
    code: "test-not-passed",
    detail: `The test "${name}" ${resultOf(issues.length > 0, last)}.`,
  }));
  const count = tests.length === 1 ? "A test has" : `${tests.length} tests have`;
  const detail = `${count} not passed with this revision. Run the tests, or publish anyway.`;
  return new Refusal("conflict", detail, { errors });
}

function resultOf(isBroken: boolean, last: TestRecord["last"]): string {
  if (isBroken) return "has errors";
  if (last === null || !last.is_current) return "has not run with this revision";
  return last.state === "running" ? "is still running" : "failed";
}
