import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type {
  CreateDraft,
  Draft,
  DraftCheck,
  ProcessKind,
  VersionProposal,
} from "@weft/shared/records/draft-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isRunnable } from "../catalog/catalog-entry.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { presentNetwork } from "../catalog/present-network.ts";
import { presentTool } from "../catalog/present-tool.ts";
import { deepenReferences } from "../drafts/deepen-references.ts";
import { baseOf, draftPath, loadDraft } from "../drafts/draft-place.ts";
import { requireRevision } from "../drafts/draft-store.ts";
import type { DraftStore, StoredDraft } from "../drafts/draft-store.ts";
import { firstText } from "../drafts/first-text.ts";
import { compareContents, nextVersion } from "../drafts/propose-version.ts";
import { publishVersion } from "../drafts/publish-version.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Caller, DraftRunBody, EngineDrafts } from "../port/engine.ts";
import type { RunnableEntry } from "../runs/begin/resolve-request.ts";

export interface DraftServiceOptions {
  readonly store: DraftStore;
  readonly catalog: Catalog;
  /** Reads the catalog folder again. */
  readonly reload: () => Promise<void>;
  readonly read: LogReader;
  readonly uris: PortableUris;
  readonly nowMs: () => number;
  readonly runs: DraftRuns;
}

/** Starts and plans runs of documents that no catalog has. */
export interface DraftRuns {
  readonly create: (
    caller: Caller,
    draft: RunOfDraft,
    request: { readonly body: DraftRunBody; readonly idempotencyKey: string | undefined },
  ) => ReturnType<EngineDrafts["run"]>;
  readonly plan: (caller: Caller, entry: RunnableEntry, body: DraftRunBody) => ReturnType<EngineDrafts["plan"]>;
}

export interface RunOfDraft {
  readonly entry: RunnableEntry;
  readonly draft: { readonly draft_id: string; readonly revision: number };
}

/** The methods of the engine for drafts. Every author sees and changes every draft. */
export function createDraftService(options: DraftServiceOptions): EngineDrafts {
  const { store, catalog, nowMs, runs } = options;
  const present = (draft: StoredDraft): Draft => ({ ...draft, path: draftPath(draft, catalog) });
  const change = ({ principal: actor }: Caller) => ({ actor, nowMs: nowMs() });
  return {
    list: () => [...store.list()],
    create: async (caller, body) => present(await store.create(newDraft(body, catalog), change(caller))),
    get: async (_caller, draftId) => present(await store.get(draftId)),
    save: async (caller, draftId, { revision, text }) =>
      present(await store.save(draftId, { revision, text, ...change(caller) })),
    discard: (_caller, draftId) => store.removeAfter(draftId, async () => {}),
    check: async (caller, draftId) => checkDraft(caller, await store.get(draftId), options),
    run: async (caller, draftId, request) => {
      const draft = await store.get(draftId);
      const entry = requireRunnable(await loadDraft(draft, catalog));
      return runs.create(caller, { entry, draft: { draft_id: draftId, revision: draft.revision } }, request);
    },
    plan: async (caller, draftId, body) =>
      runs.plan(caller, requireRunnable(await loadDraft(await store.get(draftId), catalog)), body),
    publish: (caller, draftId, request) =>
      store.removeAfter(draftId, (draft) => publishDraft(caller, { draft, ...request }, options)),
    documents: (_caller) => ({ documents: listDocuments(catalog), files: catalog.sourcePaths() }),
    document: (_caller, path) => {
      const text = catalog.sourceText(path);
      if (text === undefined) throw new Refusal("file-not-found", `The catalog has no document "${path}".`);
      return { path, text };
    },
  };
}

function newDraft({ kind, id, based_on: version, text }: CreateDraft, catalog: Catalog) {
  if (version === undefined) {
    if (catalog.knownVersions(kind, id).length > 0)
      throw new Refusal("conflict", `The catalog has a ${kind} "${id}". Base the draft on one of its versions.`);
    return { kind, id, based_on: null, text: text ?? firstText(kind, id) };
  }
  const base = catalog.find(kind, id, version);
  return { kind, id, based_on: version, text: text ?? textOf(base) };
}

function textOf({ sources }: CatalogEntry): string {
  return sources[0]?.text ?? "";
}

async function checkDraft(caller: Caller, draft: StoredDraft, options: DraftServiceOptions): Promise<DraftCheck> {
  const { catalog, read, uris } = options;
  const entry = await loadDraft(draft, catalog);
  const base = baseOf(draft, catalog);
  const context = { catalog, read, uris, links: caller.links };
  const { validation, ...shown } = draft.kind === "tool" ? presentTool(entry, context) : presentNetwork(entry, context);
  return {
    revision: draft.revision,
    validation,
    proposal: propose(draft, entry, catalog),
    published_text: publishedText(draft, base),
    base_text: base === undefined ? null : textOf(base),
    tool: "command" in shown ? { ...shown, validation } : null,
    network: "steps" in shown ? { ...shown, validation } : null,
  };
}

/** What an unversioned network's document refers to is one level further away from its first version. */
function publishedText({ text }: StoredDraft, base: CatalogEntry | undefined): string {
  return base !== undefined && base.place.version === null ? deepenReferences(text) : text;
}

function propose(draft: StoredDraft, entry: CatalogEntry, catalog: Catalog): VersionProposal {
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

interface PublishRequest {
  readonly draft: StoredDraft;
  readonly revision: number;
  readonly version: string;
}

/** Names of folders that have another meaning. */
const RESERVED = new Set<string>([UNVERSIONED, "examples", "draft", "latest", "newest"]);

async function publishDraft(
  caller: Caller,
  { draft, revision, version }: PublishRequest,
  { catalog, reload, nowMs }: DraftServiceOptions,
) {
  const { kind, id } = draft;
  requireRevision(draft, revision);
  if (RESERVED.has(version))
    throw new Refusal("invalid-body", `"${version}" cannot be a version.`, {
      errors: [{ pointer: "/version", code: "reserved", detail: "has another meaning; use a version such as 1.0.0" }],
    });
  requireRunnable(await loadDraft(draft, catalog));
  const base = baseOf(draft, catalog);
  const from = base && { folder: base.place.folder, isVersioned: base.place.version !== null };
  const at = new Date(nowMs()).toISOString();
  const text = publishedText(draft, base);
  await publishVersion({ root: catalog.root, kind, id, version, text, base: from, by: caller.principal, at });
  await reload();
  return { kind, id, version, url: urlOf(caller, kind, id, version) };
}

function urlOf({ links }: Caller, kind: ProcessKind, id: string, version: string): string {
  return kind === "tool" ? links.tool(id, version) : links.network(id, version);
}

function requireRunnable(entry: CatalogEntry): RunnableEntry {
  if (isRunnable(entry)) return entry;
  const errors = entry.issues
    .filter(({ severity }) => severity === "error")
    .map(({ code, message: detail, file, line, column }) => ({ code, detail, file, line, column }));
  throw new Refusal(
    "invalid-document",
    `The draft has ${errors.length === 1 ? "an error" : `${errors.length} errors`}.`,
    {
      errors,
    },
  );
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
