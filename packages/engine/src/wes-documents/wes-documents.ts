import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { Gate } from "../async/gate.ts";
import { Recent } from "../async/recent.ts";
import { diskReader } from "../files/disk-reader.ts";
import { textDigest } from "../files/hash-file.ts";
import type { Caller } from "../port/caller.ts";
import type { ArrivedDocument } from "../port/engine.ts";
import { canonicalText } from "../values/canonical-text.ts";
import type { RunnableEntry } from "../catalog/catalog-entry.ts";
import { loadFairly, packedText } from "../catalog/load-fairly.ts";
import { attachedPaths, PARENT } from "./attached-paths.ts";
import { hasSent } from "../access/document-rights.ts";
import {
  documentFile,
  folderOf,
  isUnchanged,
  readDocuments,
  storeApproval,
  storeDocument,
  storeSender,
  type StoredDocument,
} from "./document-folder.ts";
import type { AttachedDocument, NeededFile } from "./read-attached.ts";
import { readInThread } from "./read-in-thread.ts";

/** The number of documents that are read concurrently. */
const READERS = 2;
const MAX_DOCUMENTS = 10_000;
/** Documents that stay loaded. */
const LOADED = 20;
const MAX_SOURCE = 2048;
const MAX_NAME = 200;

export interface WesDocumentsOptions {
  /** True if documents may be sent and run. */
  readonly isOn: boolean;
  /** The folder `wes-documents` of the state folder. */
  readonly root: string;
  /** Absolute path of an upload; undefined for every other location. */
  readonly uploadPath: (location: string) => string | undefined;
  readonly nowMs: () => number;
}

/** The documents that arrived through WES, each stored under the digest of its files (ADR 14). */
export class WesDocuments {
  readonly #options: WesDocumentsOptions;
  readonly #gate = new Gate(READERS);
  readonly #stored: Map<string, StoredDocument>;
  readonly #loaded = new Recent<RunnableEntry>(LOADED);

  private constructor(options: WesDocumentsOptions, stored: readonly StoredDocument[]) {
    this.#options = options;
    this.#stored = new Map(stored.map((document) => [document.digest, document]));
  }

  static async open(options: WesDocumentsOptions): Promise<WesDocuments> {
    return new WesDocuments(options, await readDocuments(options.root));
  }

  /** Another user's document that nobody has approved is as private as the runs of that user. */
  isVisible(document: StoredDocument | undefined, { principal, othersRuns }: Caller): boolean {
    if (document === undefined) return false;
    const { digest, record, approval } = document;
    if (othersRuns !== "hidden" || approval !== undefined || record.added_by === principal) return true;
    return hasSent(folderOf(this.#options.root, digest), principal);
  }

  /** Newest first. */
  get all(): readonly StoredDocument[] {
    return [...this.#stored.values()].sort((a, b) => b.record.added_ms - a.record.added_ms);
  }

  /** Finds a document. Refuses `document-not-found`, even for a document that the caller may not see. */
  require(caller: Caller, digest: string): StoredDocument {
    const document = this.#stored.get(digest);
    if (document !== undefined && this.isVisible(document, caller)) return document;
    throw new Refusal("document-not-found", `There is no WES document ${digest}.`);
  }

  /** Finds a document, and refuses one that the caller may not run. */
  requireRunnable(caller: Caller, digest: string): StoredDocument {
    this.#requireOn();
    const document = this.#stored.get(digest);
    const mayRun =
      document?.approval !== undefined || (caller.mayAddDocuments === true && this.isVisible(document, caller));
    if (document !== undefined && mayRun) return document;
    throw new Refusal(
      "forbidden",
      `Nobody has approved the document ${digest} for runners. Ask an admin to add and approve it.`,
    );
  }

  get isOn(): boolean {
    return this.#options.isOn;
  }

  #requireOn(): void {
    if (this.isOn) return;
    const detail = "This server runs only documents of its catalog; it was started without --wes-documents.";
    throw new Refusal("forbidden", detail);
  }

  /** Stores a document unless it already exists. Refuses documents that the sender may not run. */
  async add(
    caller: Caller,
    { files, primary, source }: ArrivedDocument,
  ): Promise<{ readonly digest: string; readonly isNew: boolean }> {
    this.#requireOn();
    const [name = "", ...fragment] = primary.split("#");
    const paths = attachedPaths(files.keys());
    const path = paths.get(name);
    if (path === undefined)
      throw new Refusal("invalid-body", `The attachment ${JSON.stringify(name.slice(0, 200))} cannot be a document.`);
    const places = new Map([...paths].map(([given, inner]) => [inner, this.#placeOf(files.get(given) ?? "")]));
    const main = [path, ...fragment].join("#");
    const document = atTop(main, await this.#gate.pass(() => readInThread({ files: places, primary: main })));
    const digest = digestOf(document);
    if (this.#stored.has(digest) && caller.mayAddDocuments === true)
      await storeSender(this.#options.root, digest, caller.principal);
    if (this.#stored.has(digest) || caller.mayAddDocuments !== true) {
      this.requireRunnable(caller, digest);
      return { digest, isNew: false };
    }
    if (this.#stored.size >= MAX_DOCUMENTS)
      throw new Refusal("conflict", `The server has ${MAX_DOCUMENTS} WES documents, which is the maximum.`);
    refuseNested(document);
    const { kind, primary: file, needed } = document;
    const record = {
      ...{ primary: file, kind, name: nameOf(document), source: source.slice(0, MAX_SOURCE) },
      ...{ added_by: caller.principal, added_ms: this.#options.nowMs() },
      files: needed.map(({ path: inner, bytes, sha256 }) => ({ path: inner, bytes, sha256 })),
    };
    const contents = new Map(needed.map(({ path: inner, given }) => [inner, places.get(given) ?? ""]));
    const isNew = await storeDocument(this.#options.root, { digest, record, contents });
    if (!this.#stored.has(digest)) this.#stored.set(digest, { digest, record, approval: undefined });
    return { digest, isNew };
  }

  async setApproval(caller: Caller, digest: string, isApproved: boolean): Promise<StoredDocument> {
    const document = this.require(caller, digest);
    if (isApproved === (document.approval !== undefined)) return document;
    const approval = isApproved ? { by: caller.principal, ms: this.#options.nowMs() } : undefined;
    await storeApproval(this.#options.root, digest, approval);
    const changed = { ...document, approval };
    this.#stored.set(digest, changed);
    return changed;
  }

  /** The document, ready to run. Refuses one that the caller may not run. */
  async entry(caller: Caller, digest: string): Promise<RunnableEntry> {
    return this.load(this.requireRunnable(caller, digest));
  }

  /** Refuses a document whose stored files have changed. */
  async load(document: StoredDocument): Promise<RunnableEntry> {
    const { digest } = document;
    return this.#loaded.get(digest) ?? this.#loaded.set(digest, await this.#read(document));
  }

  /** The path of one of its files. */
  fileOf({ digest }: StoredDocument, path: string): string {
    return documentFile(this.#options.root, digest, path);
  }

  #placeOf(location: string): string {
    const path = this.#options.uploadPath(location);
    if (path === undefined) throw new Error("an attachment is not an upload");
    return path;
  }

  async #read(document: StoredDocument): Promise<RunnableEntry> {
    const { digest, record } = document;
    if (!(await isUnchanged(this.#options.root, document))) throw damaged(digest);
    const own = new Set(record.files.map(({ path }) => pathToUri(this.fileOf(document, path))));
    const reader = { read: async (uri: string) => (own.has(uri) ? diskReader.read(uri) : undefined) };
    const [file = "", ...fragment] = record.primary.split("#");
    const uri = pathToUri(this.fileOf(document, file));
    const loaded = await loadFairly([uri, ...fragment].join("#"), reader);
    const packed = packedText(loaded);
    if (
      loaded.process === undefined ||
      packed === undefined ||
      loaded.diagnostics.some(({ severity }) => severity === "error")
    )
      throw damaged(digest);
    return {
      ...{ uri, digest, formats: formatKnowledge(loaded) },
      process: { ...loaded.process, label: record.name },
      packed,
      place: { kind: record.kind, id: digest, version: null },
    };
  }
}

function damaged(digest: string): Refusal {
  return new Refusal("invalid-document", `The stored files of the document ${digest} are damaged. Restore a backup.`);
}

interface PlacedDocument extends Omit<AttachedDocument, "errors" | "needed"> {
  readonly primary: string;
  /** `given`: the path of the attachment. */
  readonly needed: readonly (NeededFile & { readonly given: string })[];
}

/**
 * Removes parent folders that only other attachments need, so that the digest of a document does not depend on its
 * inputs.
 */
function atTop(main: string, { kind, label, needed }: AttachedDocument): PlacedDocument {
  const above = `${PARENT}/`;
  let levels = 0;
  while (needed.every(({ path }) => path.startsWith(above.repeat(levels + 1)))) levels += 1;
  const start = above.length * levels;
  const placed = needed.map((file) => ({ ...file, given: file.path, path: file.path.slice(start) }));
  return { kind, label, primary: main.slice(start), needed: placed };
}

/** Covers the names and contents of all files, and which one runs. */
function digestOf({ primary, needed }: PlacedDocument): string {
  const files = Object.fromEntries(needed.map(({ path, sha256 }) => [path, sha256]));
  return textDigest(canonicalText({ primary, files }));
}

function nameOf({ primary, label }: PlacedDocument): string {
  const file = basename(primary.replace(/#.*$/s, "")).replace(/\.(?:cwl|ya?ml|json)$/, "");
  return (label ?? file).slice(0, MAX_NAME);
}

/** Two attachments `a` and `a/b` cannot be stored together. */
function refuseNested({ needed }: PlacedDocument): void {
  const paths = new Set(needed.map(({ path }) => path));
  for (const path of paths)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (paths.has(path.slice(0, at)))
        throw new Refusal("invalid-document", `${path.slice(0, at)} cannot be both a file and a folder.`);
}

/** The digest in the portable address of a document; undefined for documents from elsewhere. */
export function wesDigestOf(documentUri: string): string | undefined {
  const hex = /^weft-data:\/\/wes-documents\/([0-9a-f]{64})\/files\//.exec(documentUri)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

/** The path of an upload of this server. */
export function uploadPathOf(location: string, toFile: (uri: string) => string | undefined): string | undefined {
  if (!/^weft-data:\/\/uploads\/[0-9a-f-]{36}\/[^/]+$/.test(location)) return undefined;
  const uri = toFile(location);
  return uri === undefined ? undefined : fileURLToPath(uri);
}
