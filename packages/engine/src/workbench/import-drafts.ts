import type { Readable } from "node:stream";
import type { ImportUrl, StoredGroup } from "@weft/shared/records/draft-group-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { listDraftFiles } from "../drafts/draft-files.ts";
import type { NewDraft } from "../drafts/draft-store.ts";
import { fetchImport, fetchPart } from "../drafts/import/fetch-import.ts";
import { importInThread, type ImportSource } from "../drafts/import/import-in-thread.ts";
import type { Collisions } from "../drafts/import/plan-names.ts";
import { receiveZip } from "../drafts/import/receive-zip.ts";
import { FetchProblem, toFetchProblem } from "../files/remote/fetch-problem.ts";
import { redactUrl } from "../files/remote/remote-url.ts";
import type { Caller } from "../port/caller.ts";
import type { DraftParts } from "./draft-methods.ts";

/** Time limit for fetching all files of an address. */
const FETCH_MS = 60_000;
/** Notes are about files and their contents, so there can be more notes than files. */
const MAX_NOTES = 10_000;
/** The maximum number of notes in a refusal. */
const SHOWN_NOTES = 5;

export interface ZipToImport {
  readonly content: Readable;
  readonly title: string;
  readonly collisions: Collisions;
}

/** Creates drafts of the tools and networks in a zip. */
export async function importZip(caller: Caller, zip: ZipToImport, options: DraftParts): Promise<StoredGroup> {
  const fetch = async () => undefined;
  return receiveZip(zip.content, options.importsFolder, (folder) =>
    createDrafts(caller, { ...zip, source: { folder }, fetch }, options),
  );
}

/** Creates drafts of the tools and networks at an address. */
export async function importUrl(
  caller: Caller,
  { url, collisions = "new-version" }: ImportUrl,
  options: DraftParts,
): Promise<StoredGroup> {
  const { http, importsFolder } = options;
  const signal = AbortSignal.timeout(FETCH_MS);
  const fetch = (address: string) => fetchPart(address, http, signal);
  try {
    const { title, content, version } = await fetchImport(url, http, signal);
    const request = { title, collisions, version, fetch };
    if (!("zip" in content)) return await createDrafts(caller, { ...request, source: content }, options);
    return await receiveZip(content.zip, importsFolder, (folder) =>
      createDrafts(caller, { ...request, source: { folder } }, options),
    );
  } catch (error) {
    throw refusalOfFetch(url, error);
  }
}

function refusalOfFetch(url: string, error: unknown): unknown {
  const problem = error instanceof DOMException ? new FetchProblem("it did not arrive in time") : toFetchProblem(error);
  if (!(problem instanceof FetchProblem)) return error;
  const { message, hint } = problem;
  const detail = `${redactUrl(url).slice(0, 200)} cannot be imported: ${message}`;
  const errors = [{ pointer: "/url", code: "not-fetched", detail, ...(hint === undefined ? {} : { hint }) }];
  return new Refusal("invalid-body", detail, { errors });
}

interface DraftsToCreate {
  readonly source: ImportSource;
  readonly title: string;
  readonly collisions: Collisions;
  readonly version?: string | undefined;
  readonly fetch: (url: string) => Promise<Uint8Array | undefined>;
}

async function createDrafts(
  { principal: actor }: Caller,
  { title, source, collisions, version, fetch }: DraftsToCreate,
  { catalog, store, nowMs }: DraftParts,
): Promise<StoredGroup> {
  const work = { source, collisions, version, room: store.room, contents: store.contents.folder };
  const { drafts, notes } = await importInThread(work, { catalog, fetch });
  if (drafts.length === 0) {
    const why = notes.slice(0, SHOWN_NOTES).map(({ subject, text }) => ` ${subject} ${text}.`);
    throw new Refusal("invalid-body", `There is nothing to import.${why.join("")}`.slice(0, 2000));
  }
  const complete: NewDraft[] = [];
  for (const draft of drafts) complete.push(await withoutInherited(draft, catalog));
  const group = { title: `Import of ${title}`.slice(0, 500), notes: notes.slice(0, MAX_NOTES) };
  return store.createGroup({ kind: "import", ...group }, complete, { actor, nowMs: nowMs() });
}

/** The files next to an imported document replace all files of the version that it follows. */
async function withoutInherited(draft: NewDraft, catalog: Catalog): Promise<NewDraft> {
  const inherited = await listDraftFiles({ ...draft, files: {} }, catalog);
  const removed = Object.fromEntries(inherited.files.map(({ path }) => [path, null]));
  return { ...draft, files: { ...removed, ...draft.files } };
}
