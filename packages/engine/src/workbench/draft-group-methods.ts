import type {
  DraftGroup,
  GroupMember,
  GroupNote,
  PublishGroup,
  StoredGroup,
  UpgradeNetworks,
} from "@weft/shared/records/draft-group-record.ts";
import { MAX_DRAFTS, type DraftSummary, type PublishedVersion } from "@weft/shared/records/draft-record.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import { giveWay } from "../async/give-way.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { isInWorkTree } from "../drafts/git-commit.ts";
import { loadDraft } from "../drafts/load-draft.ts";
import { oldAddresses, outdatedNetworks } from "../drafts/outdated-networks.ts";
import { publishVersions, type NewVersion } from "../drafts/publish-version.ts";
import type { NewDraft, StoredDraft } from "../drafts/draft-store.ts";
import type { Caller } from "../port/caller.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { EngineDrafts } from "../port/engine.ts";
import { propose, runDraftTests, type DraftParts } from "./draft-methods.ts";
import { importUrl, importZip } from "./import-drafts.ts";
import { nameOf, prepareVersion } from "./publish-draft.ts";
import { presentTests } from "../tests/test-methods.ts";
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { editReferences, fragmentOf } from "../drafts/edit-references.ts";

const SHOWN_ISSUES = 5;
const SHOWN_ERRORS = 100;

interface DraftGroups {
  /** The requests that need special HTTP handling. */
  readonly drafts: Pick<EngineDrafts, "importZip" | "publishGroup">;
  readonly methods: RouteMethods;
}

/** Drafts that belong together, and upgrades of networks to new versions of the processes that they run. */
export function openDraftGroups(parts: DraftParts): DraftGroups {
  const { catalog, store } = parts;
  const options = { ...parts, members: new MemberCache(parts) };
  const present = (caller: Caller, { group_id: groupId }: Pick<StoredGroup, "group_id">) =>
    presentGroup(caller, groupId, options);
  const drafts: DraftGroups["drafts"] = {
    importZip: async (caller, zip) => present(caller, await importZip(caller, zip, parts)),
    publishGroup: (caller, groupId, body) => publishGroup(caller, groupId, body, parts),
  };
  const methods: RouteMethods = {
    "GET /api/upgrades": ({ query: { kind, id, version } }) => ({
      networks: outdatedNetworks(catalog.find(kind, id, version), catalog),
    }),
    "POST /api/upgrades": async ({ caller, body }) => present(caller, await upgradeNetworks(caller, body, parts)),
    "POST /api/draft-imports/url": async ({ caller, body }) => present(caller, await importUrl(caller, body, parts)),
    "GET /api/draft-groups/{group_id}": ({ caller, params }) => present(caller, params),
    "POST /api/draft-groups/{group_id}/tests": async ({ caller, params }) => {
      const members = draftsOf(params.group_id, parts);
      const state = stateOf(members, parts);
      for (const draft of members) await runMissingTests(caller, { draft, state }, options);
      return present(caller, params);
    },
    "DELETE /api/draft-groups/{group_id}": async ({ params }) => {
      const ids = draftsOf(params.group_id, parts).map(({ draft_id: id }) => id);
      await store.removeAllAfter(ids, async () => {});
    },
  };
  return { drafts, methods };
}

function draftsOf(groupId: string, { store }: Pick<DraftParts, "store">): readonly DraftSummary[] {
  const drafts = store.inGroup(groupId);
  if (drafts.length === 0)
    throw new Refusal("not-found", `There is no group ${groupId}; its drafts may have been published or deleted.`);
  return drafts.toSorted((a, b) => (`${b.kind} ${a.id}` < `${a.kind} ${b.id}` ? -1 : 1));
}

type GroupOptions = DraftParts & { readonly members: MemberCache };

async function presentGroup(caller: Caller, groupId: string, options: GroupOptions): Promise<DraftGroup> {
  const drafts = draftsOf(groupId, options);
  const group = options.store.groups.find(groupId);
  if (group === undefined) throw new Refusal("not-found", `There is no group ${groupId}.`);
  const { draft_ids: _ids, ...shown } = group;
  const members: GroupMember[] = [];
  const state = stateOf(drafts, options);
  for (const draft of drafts) {
    await giveWay();
    members.push(await presentMember(caller, { draft, state }, options));
  }
  return { ...shown, drafts: members };
}

/** A text that changes with everything that a member of the group depends on. */
function stateOf(drafts: readonly DraftSummary[], { catalog }: Pick<DraftParts, "catalog">): string {
  return `${catalog.digest} ${drafts.reduce((sum, { revision }) => sum + revision, 0)} ${drafts.length}`;
}

interface MemberState {
  readonly draft: DraftSummary;
  /** State of its group. */
  readonly state: string;
}

async function presentMember(caller: Caller, member: MemberState, options: GroupOptions): Promise<GroupMember> {
  const { draft } = member;
  const { entry, ...known } = await options.members.get(member);
  const tests = presentTests(caller, { entry, draft }, options);
  const count = (isCounted: (test: TestRecord) => boolean) => tests.filter(isCounted).length;
  return {
    draft,
    ...known,
    tests: {
      total: tests.length,
      passed: count(({ last }) => last?.state === "passed" && last.is_current),
      failed: count(({ last, issues }) => issues.length > 0 || (last?.state === "failed" && last.is_current)),
      running: count(({ last }) => last?.state === "running"),
    },
  };
}

interface KnownMember extends Pick<GroupMember, "version" | "status" | "issues" | "reasons"> {
  /** The entry of the draft, without its model and texts. */
  readonly entry: Pick<CatalogEntry, "place" | "digest" | "tests">;
}

/** Cached facts about drafts, valid until they, those of their group, or the catalog change. */
class MemberCache {
  readonly #options: DraftParts;
  readonly #known = new Map<string, { readonly state: string; readonly member: KnownMember }>();

  constructor(options: DraftParts) {
    this.#options = options;
  }

  async get({ draft, state }: MemberState): Promise<KnownMember> {
    const { store } = this.#options;
    const known = this.#known.get(draft.draft_id);
    if (known?.state === state) return known.member;
    const member = await this.#read(await store.get(draft.draft_id));
    this.#known.set(draft.draft_id, { state, member });
    if (this.#known.size > MAX_DRAFTS) for (const id of this.#known.keys()) if (!store.has(id)) this.#known.delete(id);
    return member;
  }

  async #read(draft: StoredDraft): Promise<KnownMember> {
    const entry = await loadDraft(draft, this.#options);
    const { place, digest, tests, issues } = entry;
    const proposal = propose(draft, entry, this.#options.catalog);
    const errors = issues.filter(({ severity }) => severity === "error");
    return {
      version: draft.planned_version ?? proposal.version,
      status: errors.length > 0 ? "invalid" : issues.length > 0 ? "warnings" : "valid",
      issues: errors.slice(0, SHOWN_ISSUES),
      reasons: proposal.reasons,
      entry: { place, digest, tests },
    };
  }
}

async function runMissingTests(caller: Caller, member: MemberState, options: GroupOptions): Promise<void> {
  const { draft } = member;
  const { entry, status } = await options.members.get(member);
  if (status === "invalid") return;
  const names = presentTests(caller, { entry, draft }, options)
    .filter(({ last, issues }) => issues.length === 0 && (last === null || !last.is_current))
    .map(({ name }) => name);
  const { draft_id: draftId, revision } = draft;
  if (names.length > 0) await runDraftTests(caller, { draftId, revision, names }, options);
}

/** Refuses the whole request with every draft that cannot be published. */
function publishGroup(caller: Caller, groupId: string, { drafts: asked, anyway }: PublishGroup, options: DraftParts) {
  const ids = new Set(draftsOf(groupId, options).map(({ draft_id: id }) => id));
  const unknown = asked.find(({ draft_id: id }) => !ids.has(id));
  if (unknown !== undefined) throw new Refusal("not-found", `The group has no draft ${unknown.draft_id}.`);
  const revisions = new Map(asked.map(({ draft_id: id, revision }) => [id, revision]));
  return options.store.removeAllAfter([...revisions.keys()], async (drafts) => {
    const prepared: { version: NewVersion; not_passed: string[] }[] = [];
    const refusals: { readonly draft: StoredDraft; readonly refusal: Refusal }[] = [];
    for (const draft of drafts) {
      try {
        const proposal = async () => propose(draft, await loadDraft(draft, options), options.catalog);
        const version = draft.planned_version ?? (await proposal()).version;
        const revision = revisions.get(draft.draft_id) ?? 0;
        const request = { draft, revision, version, anyway, together: new Set(revisions.keys()) };
        prepared.push(await prepareVersion(caller, request, options));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.push({ draft, refusal: error });
      }
    }
    if (refusals[0] !== undefined) throw refusalOfGroup(refusals[0].refusal.code, refusals);
    // Tools first, so that a network never appears without them.
    prepared.sort((a, b) => Number(a.version.kind === "network") - Number(b.version.kind === "network"));
    const versions = prepared.map(({ version }) => version);
    await publishVersions(options.catalog.root, versions);
    await options.reload();
    return { published: await presentPublished(caller, prepared, options) };
  });
}

async function presentPublished(
  caller: Caller,
  prepared: readonly { readonly version: NewVersion; readonly not_passed: string[] }[],
  { commits, catalog }: DraftParts,
): Promise<PublishedVersion[]> {
  const can_commit = commits && (await isInWorkTree(catalog.root));
  return prepared.map(({ version, not_passed }) => ({ ...nameOf(caller, version), not_passed, can_commit }));
}

function refusalOfGroup(
  code: Refusal["code"],
  refusals: readonly { readonly draft: StoredDraft; readonly refusal: Refusal }[],
): Refusal {
  const errors = refusals.slice(0, SHOWN_ERRORS).map(({ draft, refusal }): ProblemError => ({
    code: refusal.code,
    detail: `${draft.id}: ${withFirstError(refusal)}`,
  }));
  const count = refusals.length === 1 ? "One draft" : `${refusals.length} drafts`;
  const detail = `${count} cannot be published, so none was. The first: ${errors[0]?.detail ?? ""}`;
  return new Refusal(code, detail, { errors });
}

/** Some messages name their first error themselves. */
function withFirstError({ message, errors: [first] }: Refusal): string {
  return first === undefined || message.includes(first.detail) ? message : `${message} ${first.detail}`;
}

/** Creates a draft of each network that runs the given version instead of older ones. */
async function upgradeNetworks(
  { principal: actor }: Caller,
  { kind, id, version, networks }: UpgradeNetworks,
  { catalog, store, nowMs }: DraftParts,
): Promise<StoredGroup> {
  const target = catalog.findRunnable(kind, id, version);
  const drafts: NewDraft[] = [];
  const notes: GroupNote[] = [];
  for (const name of new Set(networks)) {
    const network = catalog.find("network", name, undefined);
    const old = oldAddresses(network, target, catalog);
    const text = withTarget(network, target, old);
    const note = (level: GroupNote["level"], said: string) => notes.push({ level, subject: name, text: said });
    if (old.size === 0) note("warning", `runs no version of ${id} before ${version}`);
    else if (text === undefined)
      note("error", "the reference is not in the document itself; edit the file that it imports");
    else {
      const based_on = network.place.version ?? UNVERSIONED;
      drafts.push({ kind: "network", id: network.place.id, based_on, planned_version: null, text, files: {} });
      note("info", `now runs ${id} ${version}`);
    }
  }
  if (drafts.length === 0)
    throw new Refusal("conflict", notes[0] === undefined ? "Nothing to do." : `${notes[0].subject} ${notes[0].text}.`);
  const title = `Networks that run ${id} ${version}`;
  return store.createGroup({ kind: "upgrade", title, notes }, drafts, { actor, nowMs: nowMs() });
}

/** The text of a network that runs the target; undefined if no reference in it leads to an older version. */
function withTarget(network: CatalogEntry, target: CatalogEntry, old: ReadonlySet<string>): string | undefined {
  const text = network.sources[0]?.text ?? "";
  const edited = editReferences(text, network.uri, ({ field, target: address, written }) =>
    field === "run" && old.has(address) ? relativeReference(target.uri, network.uri) + fragmentOf(written) : undefined,
  );
  return edited === text ? undefined : edited;
}
