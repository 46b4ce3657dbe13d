import { join } from "node:path";
import type { TestList } from "@weft/shared/records/test-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateDraft, Draft, DraftCheck, VersionProposal } from "@weft/shared/records/draft-record.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import type { CommitResult, CommitVersions } from "@weft/shared/records/commit-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isRunnable, requireRunnable, type CatalogEntry } from "../catalog/catalog-entry.ts";
import { presentNetwork } from "../catalog/present-network.ts";
import { presentTool } from "../catalog/present-tool.ts";
import { DraftEditors } from "../drafts/draft-editors.ts";
import { changeFiles, listDraftFiles, readDraftFile } from "../drafts/draft-files.ts";
import { plannedPath } from "../drafts/draft-peers.ts";
import { baseOf, draftPath, publishedText } from "../drafts/draft-place.ts";
import { editReferences, fragmentOf } from "../drafts/edit-references.ts";
import type { DraftStore, StoredDraft } from "../drafts/draft-store.ts";
import { loadDraft, loadDraftToRun } from "../drafts/load-draft.ts";
import { firstText } from "../drafts/first-text.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import { compareContents, nextVersion } from "../drafts/propose-version.ts";
import type { HttpSettings } from "../files/remote/http-settings.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Caller } from "../port/caller.ts";
import type { RouteMethods, ServableArchive } from "../port/route-methods.ts";
import type { CatalogName, EngineDrafts } from "../port/engine.ts";
import type { DocumentRuns } from "../runs/run-service.ts";
import { commitPaths } from "../drafts/git-commit.ts";
import { publishDraft } from "./publish-draft.ts";
import { presentTests, runTests, type TestServices } from "../tests/test-methods.ts";
import { OLDEST, zipArchive, type ArchiveEntry } from "../archive/zip-archive.ts";
import { exportDraft, exportSources } from "../drafts/export-sources.ts";

export interface DraftParts extends TestServices {
  readonly store: DraftStore;
  readonly catalog: Catalog;
  /** Reads the catalog folder again. */
  readonly reload: () => Promise<void>;
  readonly read: LogReader;
  readonly nowMs: () => number;
  readonly documents: DocumentRuns;
  /** A folder for zips while they are unpacked. */
  readonly importsFolder: string;
  /** The hosts from which documents may be imported. */
  readonly http: HttpSettings;
  /** Whether authors may commit what they have published. */
  readonly commits: boolean;
}

/** Drafts, and documents of the catalog. Every author can see and change every draft. */
export function draftMethods(options: DraftParts): RouteMethods {
  const { store, catalog, nowMs, documents } = options;
  const present = (draft: StoredDraft): Draft => presentDraft(draft, catalog);
  const change = ({ principal: actor }: Caller) => ({ actor, nowMs: nowMs() });
  return {
    "GET /api/drafts": () => ({ drafts: [...store.list()] }),
    "POST /api/drafts": async ({ caller, body }) =>
      present(await store.create(newDraft(body, catalog), change(caller))),
    "GET /api/drafts/{draft_id}": async ({ params }) => present(await store.get(params.draft_id)),
    "POST /api/drafts/{draft_id}": async ({ caller, params, revision, body }) =>
      present(await store.save(params.draft_id, { revision, ...body, ...change(caller) })),
    "DELETE /api/drafts/{draft_id}": ({ params: { draft_id: id }, revision }) =>
      store.removeAfter(id, async () => void (await store.get(id, revision))),
    "GET /api/drafts/{draft_id}/check": async ({ caller, params, revision }) =>
      checkDraft(caller, await store.get(params.draft_id, revision), options),
    "POST /api/drafts/{draft_id}/plans": async ({ caller, params: { draft_id: draftId }, revision, body }) => {
      const { entry } = await openDraft({ draftId, revision }, options);
      return documents.plan(caller, await documents.resolve(caller, entry, body), body.options);
    },
    "GET /api/drafts/{draft_id}/packed": async ({ params, revision }) => {
      const draft = await store.get(params.draft_id, revision);
      const { packed } = requireRunnable(await loadDraft(draft, options), "The draft");
      return { name: "draft.cwl", mediaType: "application/cwl+json", content: packed };
    },
    "POST /api/commits": ({ caller, body }) => commitVersions(caller, body, options),
    "GET /api/documents": () => ({ documents: listDocuments(catalog), files: catalog.sourcePaths() }),
    "GET /api/documents/{path}": ({ params: { path } }) => {
      const text = catalog.sourceText(path);
      if (text === undefined) throw new Refusal("file-not-found", `The catalog has no document "${path}".`);
      return { path, text };
    },
    ...fileMethods(options),
    ...testMethods(options),
    ...editorMethods(options),
    ...sourceMethods(options),
  };
}

function fileMethods({ store, catalog, nowMs }: DraftParts): RouteMethods {
  const places = { catalog, contents: store.contents };
  return {
    "GET /api/drafts/{draft_id}/files": async ({ params }) => {
      const draft = await store.get(params.draft_id);
      return { revision: draft.revision, ...(await listDraftFiles(draft, catalog)) };
    },
    "GET /api/drafts/{draft_id}/files/{path}": async ({ params: { draft_id: id, path } }) =>
      readDraftFile(await store.get(id), path, places),
    "POST /api/drafts/{draft_id}/files": async ({ caller, params, revision, body: { text, changes } }) => {
      const change = { revision, actor: caller.principal, nowMs: nowMs() };
      const edit = async (draft: StoredDraft) => {
        const files = await changeFiles(draft, changes, places);
        return { text: text ?? draft.text, files };
      };
      return presentDraft(await store.change(params.draft_id, change, edit), catalog);
    },
  };
}

function testMethods(options: DraftParts): RouteMethods {
  return {
    "GET /api/drafts/{draft_id}/tests": async ({ caller, params }) => {
      const draft = await options.store.get(params.draft_id);
      return { tests: presentTests(caller, { entry: await loadDraft(draft, options), draft }, options) };
    },
    "POST /api/drafts/{draft_id}/tests": ({ caller, params, revision, body }) =>
      runDraftTests(caller, { draftId: params.draft_id, revision, names: body.tests }, options),
  };
}

/** Windows that have a draft open. */
function editorMethods({ store, nowMs }: DraftParts): RouteMethods {
  const windows = new DraftEditors();
  const shown = (names: readonly string[]) => ({ editors: names.map((name) => ({ name })) });
  return {
    "GET /api/drafts/{draft_id}/editors": ({ params: { draft_id: id } }) => {
      store.requireDraft(id);
      return shown(windows.list(id, nowMs()));
    },
    "POST /api/drafts/{draft_id}/editors": ({ caller, params: { draft_id: id }, body: { editor, leaves = false } }) => {
      if (leaves) {
        // An editor leaves after it has published or discarded the draft, too.
        windows.leave(id, editor);
        return shown([]);
      }
      store.requireDraft(id);
      return shown(windows.visit(id, { editor, name: caller.principal, nowMs: nowMs() }));
    },
  };
}

/** Versions and drafts as folders. */
function sourceMethods(options: DraftParts): RouteMethods {
  const { catalog, store } = options;
  const sources = async ({ kind, id, version }: CatalogName) => {
    const entry = catalog.find(kind, id, version);
    const name = `${id}-${entry.place.version ?? UNVERSIONED}`;
    return archiveOf(name, await exportSources(entry, catalog));
  };
  return {
    "GET /api/tools/{id}/{version}/sources.zip": ({ params }) => sources({ kind: "tool", ...params }),
    "GET /api/networks/{id}/sources.zip": ({ params: { id }, query: { version } }) =>
      sources({ kind: "network", id, version }),
    "GET /api/drafts/{draft_id}/sources.zip": async ({ params, revision }) => {
      const draft = await store.get(params.draft_id, revision);
      const entry = await loadDraft(draft, options);
      const version = draft.planned_version ?? propose(draft, entry, catalog).version;
      const entries = await exportDraft({ entry, draft, version }, { catalog, contents: store.contents });
      return archiveOf(`${draft.id}-${version}-draft`, entries);
    },
  };
}

/** The requests about single drafts that need special HTTP handling. */
export function createDraftService(options: DraftParts): Omit<EngineDrafts, "importZip" | "publishGroup"> {
  const { store, documents } = options;
  return {
    run: async (caller, draftId, { revision: asked, body, idempotencyKey }) => {
      const revision = asked ?? (await store.get(draftId)).revision;
      const draft = { draft_id: draftId, revision };
      const resolve = async () =>
        documents.resolve(caller, (await openDraft({ draftId, revision }, options)).entry, body);
      const fingerprint = { draft, body };
      return documents.start(caller, { ...body, resolve, cause: { draft }, idempotencyKey, fingerprint });
    },
    publish: async (caller, draftId, request) => {
      const draft = await store.get(draftId);
      const published = await store.removeAfter(draftId, (one) =>
        publishDraft(caller, { draft: one, ...request }, options),
      );
      await followVersion(caller, { draft, version: published.version }, options);
      return published;
    },
  };
}

/** Redirects the other drafts of a group to a version that was published under another number than planned. */
async function followVersion(
  { principal: actor }: Caller,
  { draft, version }: { readonly draft: StoredDraft; readonly version: string },
  { store, catalog, nowMs }: DraftParts,
): Promise<void> {
  const { kind, id, group_id: group, planned_version: planned } = draft;
  if (group === null || planned === null || planned === version) return;
  const at = (one: string) => pathToUri(plannedPath(catalog.root, { kind, id, version: one }));
  for (const { draft_id: other } of store.inGroup(group)) {
    const { text, revision, ...placed } = await store.get(other);
    const uri = pathToUri(join(catalog.root, draftPath({ ...placed, files: {} }, catalog)));
    const edited = editReferences(text, uri, ({ target, written }) =>
      target === at(planned) ? relativeReference(at(version), uri) + fragmentOf(written) : undefined,
    );
    if (edited !== text) await store.save(other, { text: edited, revision, actor, nowMs: nowMs() });
  }
}

interface DraftRevision {
  readonly draftId: string;
  /** The revision that the caller has seen; undefined: the current one. */
  readonly revision: number | undefined;
}

interface TestedDraft extends DraftRevision {
  /** The names of tests; undefined for all tests without errors. */
  readonly names: readonly string[] | undefined;
}

/** Starts tests of a draft. */
export async function runDraftTests(
  caller: Caller,
  { names, ...asked }: TestedDraft,
  options: DraftParts,
): Promise<TestList> {
  return runTests(caller, { tested: await openDraft(asked, options), names }, options);
}

/** A draft without errors, with its files on disk. */
async function openDraft({ draftId, revision }: DraftRevision, options: DraftParts) {
  const draft = await options.store.get(draftId, revision);
  const entry = requireRunnable(await loadDraftToRun(draft, options), "The draft");
  return { entry, draft: { draft_id: draftId, revision: draft.revision } };
}

function presentDraft({ files: _files, ...draft }: StoredDraft, catalog: Catalog): Draft {
  return { ...draft, path: draftPath({ ...draft, files: {} }, catalog) };
}

function newDraft({ kind, id, based_on: version, text }: CreateDraft, catalog: Catalog) {
  if (version === undefined) {
    if (catalog.knownVersions(kind, id).length > 0)
      throw new Refusal("conflict", `The catalog has a ${kind} "${id}". Base the draft on one of its versions.`);
    return { kind, id, based_on: null, planned_version: null, text: text ?? firstText(kind, id), files: {} };
  }
  const base = catalog.find(kind, id, version);
  return { kind, id, based_on: version, planned_version: null, text: text ?? textOf(base), files: {} };
}

function textOf({ sources }: CatalogEntry): string {
  return sources[0]?.text ?? "";
}

async function checkDraft(caller: Caller, draft: StoredDraft, options: DraftParts): Promise<DraftCheck> {
  const { catalog, read, uris } = options;
  const entry = await loadDraft(draft, options);
  const base = baseOf(draft, catalog);
  const context = { catalog, read, uris, links: caller.links, owner: visibleOwner(caller) };
  const { validation, ...shown } = draft.kind === "tool" ? presentTool(entry, context) : presentNetwork(entry, context);
  return {
    revision: draft.revision,
    validation,
    proposal: propose(draft, entry, catalog),
    published_text: publishedText(draft, catalog),
    base_text: base === undefined ? null : textOf(base),
    tool: "command" in shown ? { ...shown, validation } : null,
    network: "steps" in shown ? { ...shown, validation } : null,
  };
}

/** The version that a draft would become. */
export function propose(draft: StoredDraft, entry: CatalogEntry, catalog: Catalog): VersionProposal {
  const base = baseOf(draft, catalog);
  const taken = catalog.knownVersions(draft.kind, draft.id).flatMap(({ place }) => place.version ?? []);
  if (base === undefined || !isRunnable(base) || !isRunnable(entry)) {
    const version = nextVersion(base?.place.version ?? null, null, taken);
    return { version, compared_with: null, level: null, reasons: [] };
  }
  const reasons = [...compareContents(base, entry)];
  const level = reasons[0]?.level ?? null;
  return { version: nextVersion(base.place.version, level, taken), compared_with: draft.based_on, level, reasons };
}

function listDocuments(catalog: Catalog) {
  return (["tool", "network"] as const).flatMap((kind) =>
    catalog.all(kind).flatMap(([id, versions]) =>
      versions.map(({ place, process, sources }) => ({
        path: sources[0]?.file ?? "",
        kind,
        id,
        version: place.version,
        ...(process?.label === undefined ? {} : { label: process.label }),
        deprecated: place.deprecated,
      })),
    ),
  );
}

const SHOWN_CHARACTERS = 4000;

/** Commits versions that were published here, and nothing else. */
async function commitVersions(
  { principal }: Caller,
  { versions }: CommitVersions,
  { catalog, commits }: DraftParts,
): Promise<CommitResult> {
  if (!commits)
    throw new Refusal(
      "conflict",
      "This server makes no commits. Its administrator can allow them: --commit-published.",
    );
  const paths = versions.map(({ kind, id, version }) => {
    const { place, pin } = catalog.find(kind, id, version);
    if (place.version === null || version === UNVERSIONED || pin === undefined)
      throw new Refusal("conflict", `${id} ${version} was not published by a server, so it is not committed here.`);
    return join(`${kind}s`, id, version);
  });
  const names = versions.map(({ id, version }) => `${id} ${version}`);
  const subject =
    names.length === 1 ? `catalog: publish ${names.join("")}` : `catalog: publish ${names.length} versions`;
  const body = names.length === 1 ? "" : `\n\n${names.join("\n")}`;
  const message = `${subject}${body}\n\nPublished by ${principal}.`;
  const result = await commitPaths({ folder: catalog.root, paths, message, author: principal });
  const commit = result.state === "committed" ? result.commit : null;
  return { state: result.state, commit, paths, output: result.output.slice(0, SHOWN_CHARACTERS) };
}

function archiveOf(name: string, entries: readonly ArchiveEntry[]): ServableArchive {
  return { name: `${name}.zip`, open: () => zipArchive(entries, OLDEST) };
}
