import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { ContentDigest } from "../content-digest.ts";
import type { DownloadStore, Fetched } from "./download-store.ts";
import { isRemote, redactUrl } from "./remote-url.ts";

export interface RunFilesOptions {
  readonly disk: FileAccess;
  readonly store: DownloadStore;
  readonly signal: AbortSignal;
  /** The contents that the run already received from an earlier server, by redacted URL. */
  readonly pinned: ReadonlyMap<string, ContentDigest>;
  readonly onBytes: (location: string, received: number, total: number | undefined) => void;
  readonly onFetched: (location: string, content: ContentDigest) => void;
}

/**
 * The files of one run: local ones as they are, and remote ones, which are fetched when they are first used. From then
 * on, the run sees exactly the same bytes under that URL, whatever happens to it on the web.
 */
export class RunFiles implements FileAccess {
  readonly #options: RunFilesOptions;
  readonly #fetched = new Map<string, Promise<Fetched | undefined>>();
  readonly #here = new Set<string>();

  constructor(options: RunFilesOptions) {
    this.#options = options;
  }

  isRemote(uri: string): boolean {
    return isRemote(uri);
  }

  /** True if using it does not have to wait. */
  has(uri: string): boolean {
    return this.#here.has(uri);
  }

  /** Fetches a file; undefined if it does not exist. Rejects with CwlFailure STAGE_IN for every other problem. */
  fetch(uri: string): Promise<Fetched | undefined> {
    const known = this.#fetched.get(uri);
    if (known !== undefined) return known;
    const fetching = this.#fetch(uri);
    this.#fetched.set(uri, fetching);
    return fetching;
  }

  async stat(uri: string) {
    if (!isRemote(uri)) return this.#options.disk.stat(uri);
    const fetched = await this.fetch(uri);
    return fetched === undefined ? undefined : ({ kind: "file", size: fetched.sizeBytes } as const);
  }

  list(uri: string) {
    return this.#options.disk.list(uri);
  }

  async readText(uri: string, maxBytes: number): Promise<string> {
    return this.#options.disk.readText(await this.localUri(uri), maxBytes);
  }

  async checksum(uri: string): Promise<string> {
    const fetched = isRemote(uri) ? await this.fetch(uri) : undefined;
    return fetched?.sha1 ?? this.#options.disk.checksum(uri);
  }

  async realUri(uri: string): Promise<string | undefined> {
    return this.#options.disk.realUri(await this.localUri(uri));
  }

  /** The `file:` URL of the bytes. */
  async localUri(uri: string): Promise<string> {
    const fetched = isRemote(uri) ? await this.fetch(uri) : undefined;
    return fetched === undefined ? uri : pathToUri(fetched.path);
  }

  async #fetch(uri: string): Promise<Fetched | undefined> {
    const { store, signal, pinned, onBytes, onFetched } = this.#options;
    const pin = pinned.get(redactUrl(uri));
    const kept = pin === undefined ? undefined : await store.find(pin);
    const fetched =
      kept ?? (await store.fetch(uri, { signal, onBytes: (received, total) => onBytes(uri, received, total) }));
    if (fetched !== undefined && kept === undefined) onFetched(uri, fetched);
    this.#here.add(uri);
    return fetched;
  }
}
