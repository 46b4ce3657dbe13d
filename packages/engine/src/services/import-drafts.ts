import type { Readable } from "node:stream";
import type { ImportUrl } from "@weft/shared/records/draft-group-record.ts";
import type { StoredGroup } from "@weft/shared/records/draft-group-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { StoredContent } from "../drafts/draft-contents.ts";
import { listDraftFiles } from "../drafts/draft-files.ts";
import type { NewDraft } from "../drafts/draft-store.ts";
import { fetchImport } from "../drafts/import/fetch-import.ts";
import type { FetchedImport } from "../drafts/import/fetch-import.ts";
import type { ImportedFiles } from "../drafts/import/imported-files.ts";
import { planImport } from "../drafts/import/plan-import.ts";
import type { ImportedDraft } from "../drafts/import/plan-import.ts";
import type { Collisions } from "../drafts/import/plan-names.ts";
import { receiveZip } from "../drafts/import/receive-zip.ts";
import { FetchProblem, toFetchProblem } from "../files/remote/fetch-problem.ts";
import { redactUrl } from "../files/remote/remote-url.ts";
import type { Caller } from "../port/engine.ts";
import type { DraftServiceOptions } from "./draft-service.ts";

/** For all files of an address together. */
const FETCH_MS = 60_000;
const MAX_NOTES = 3000;
/** In a refusal. */
const SHOWN_NOTES = 5;

export interface ZipToImport {
  readonly content: Readable;
  readonly title: string;
  readonly collisions: Collisions;
}

/** Creates drafts of the tools and networks in a zip. */
export async function importZip(caller: Caller, zip: ZipToImport, options: DraftServiceOptions): Promise<StoredGroup> {
  const files = await receiveZip(zip.content, options.importsFolder);
  return importFiles(caller, { ...zip, files }, options);
}

/** Creates drafts of what an address names. */
export async function importUrl(
  caller: Caller,
  { url, collisions = "new-version" }: ImportUrl,
  options: DraftServiceOptions,
): Promise<StoredGroup> {
  const { title, content, version } = await fetchOrRefuse(url, options);
  const files = "zip" in content ? await receiveZip(content.zip, options.importsFolder) : content.files;
  return importFiles(caller, { files, title, collisions, version }, options);
}

async function fetchOrRefuse(url: string, { http }: DraftServiceOptions): Promise<FetchedImport> {
  try {
    return await fetchImport(url, http, AbortSignal.timeout(FETCH_MS));
  } catch (error) {
    const problem =
      error instanceof DOMException ? new FetchProblem("it did not arrive in time") : toFetchProblem(error);
    if (!(problem instanceof FetchProblem)) throw error;
    const { message, hint } = problem;
    const detail = `${redactUrl(url).slice(0, 200)} cannot be imported: ${message}`;
    const errors = [{ pointer: "/url", code: "not-fetched", detail, ...(hint === undefined ? {} : { hint }) }];
    throw new Refusal("invalid-body", detail, { errors });
  }
}

interface FilesToImport {
  readonly files: ImportedFiles;
  readonly title: string;
  readonly collisions: Collisions;
  readonly version?: string | undefined;
}

async function importFiles(
  { principal: actor }: Caller,
  { title, ...request }: FilesToImport,
  options: DraftServiceOptions,
): Promise<StoredGroup> {
  const { catalog, store, nowMs } = options;
  const { drafts: planned, notes } = await planImport(request, catalog);
  if (planned.length === 0) {
    const why = notes.slice(0, SHOWN_NOTES).map(({ subject, text }) => ` ${subject} ${text}.`);
    throw new Refusal("invalid-body", `There is nothing to import.${why.join("")}`.slice(0, 2000));
  }
  const drafts: NewDraft[] = [];
  for (const draft of planned) drafts.push(await newDraft(draft, options));
  const group = {
    kind: "import",
    title: `Import of ${title}`.slice(0, 500),
    notes: notes.slice(0, MAX_NOTES),
  } as const;
  return store.createGroup(group, drafts, { actor, nowMs: nowMs() });
}

/** The files next to an imported document replace all of those of the version that it follows. */
async function newDraft(
  { source, id, version, base, text, files: own }: ImportedDraft,
  { catalog, store }: DraftServiceOptions,
): Promise<NewDraft> {
  const { kind } = source;
  const based_on = base?.place.version ?? null;
  const files: Record<string, StoredContent | null> = {};
  const inherited = await listDraftFiles({ kind, id, based_on, files: {} }, catalog);
  for (const { path } of inherited.files) files[path] = null;
  for (const [path, content] of own) files[path] = await store.contents.put(content);
  return { kind, id, based_on, planned_version: version, text, files };
}
