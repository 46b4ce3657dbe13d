import { Refusal } from "@weft/shared/records/refusal.ts";
import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import { Gate } from "../../async/gate.ts";
import { inOwnThread } from "../../async/own-thread.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { FetchProblem } from "../../files/remote/fetch-problem.ts";
import { refusalOfSystem } from "../../journal/storage/storage-problem.ts";
import type { NewDraft } from "../draft-store.ts";
import type { FetchedDocument } from "./fetch-import.ts";
import type { Collisions, KnownVersion } from "./plan-names.ts";

/** The material of an import: an unpacked zip, files, or a document of which the rest has yet to be fetched. */
export type ImportSource =
  | { readonly folder: string }
  | { readonly files: ReadonlyMap<string, Uint8Array> }
  | FetchedDocument;

export interface ImportWork {
  readonly source: ImportSource;
  readonly collisions: Collisions;
  readonly version: string | undefined;
  /** The number of drafts that can still be added. */
  readonly room: number;
  /** Folder of the contents of all drafts. */
  readonly contents: string;
}

export type ImportQuestion =
  | { readonly fetch: string }
  | { readonly kind: "tool" | "network"; readonly id: string }
  | { readonly draft: NewDraft };
export type ImportReply = Uint8Array | undefined | readonly KnownVersion[];

interface ImportSurroundings {
  readonly catalog: Catalog;
  readonly fetch: (url: string) => Promise<Uint8Array | undefined>;
}

const HEAP_MB = 1024;
const MAX_WAIT_MS = 60_000;
const gate = new Gate(2);

/**
 * Determines in its own thread which drafts an import becomes. The server only reads its catalog, fetches the files
 * that documents refer to, and receives one draft at a time, its files on disk. Rejects with Refusal or FetchProblem.
 */
export async function importInThread(
  work: ImportWork,
  { catalog, fetch }: ImportSurroundings,
): Promise<{ readonly drafts: readonly NewDraft[]; readonly notes: readonly GroupNote[] }> {
  const drafts: NewDraft[] = [];
  const answer = async (question: ImportQuestion): Promise<ImportReply> => {
    if ("fetch" in question) return fetch(question.fetch);
    if ("draft" in question) return void drafts.push(question.draft);
    const versions = catalog.knownVersions(question.kind, question.id);
    return versions.map(({ place, uri, process, packed, issues }) => ({ place, uri, process, packed, issues }));
  };
  const notes = await gate.pass(() =>
    inOwnThread<readonly GroupNote[], ImportQuestion, ImportReply>({
      script: new URL("./import-worker.ts", import.meta.url),
      input: work,
      ...{ heapMb: HEAP_MB, maxWaitMs: MAX_WAIT_MS, answer },
      tooCostly: (why) => new Refusal("invalid-body", `The import is too large: ${why} to read.`),
    }).catch((error: Error) => {
      throw error.name === "FetchProblem" ? new FetchProblem(error.message) : (refusalOfSystem(error) ?? error);
    }),
  );
  return { drafts, notes };
}
