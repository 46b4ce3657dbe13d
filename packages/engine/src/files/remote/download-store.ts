import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { ContentDigest } from "../content-digest.ts";
import { undefinedIfMissing } from "../beneath/undefined-if-missing.ts";
import { digestOf } from "../hash-file.ts";
import { bytesOfDataUrl, WRONG_DATA } from "./data-url.ts";
import { download, type DownloadRequest, type DownloadSettings, type Validators } from "./download.ts";
import { FetchProblem } from "./fetch-problem.ts";
import { DEFAULT_TIMEOUTS } from "./http-settings.ts";
import { ANY_HOST } from "./http-policy.ts";
import { isHttp, isRedacted, redactUrl, shownUrl } from "./remote-url.ts";
import { statSync, unlinkSync } from "node:fs";

/** Downloaded content. */
export interface Fetched extends ContentDigest {
  /** Absolute path of the file; its name carries no meaning. */
  readonly path: string;
}

/** The store's record of a URL, as JSON next to the contents. */
interface UrlRecord extends ContentDigest, Validators {
  /** The URL, for people who look into the folder. */
  readonly url: string;
}

export const DEFAULT_DOWNLOADS: DownloadSettings = {
  policy: ANY_HOST,
  ...DEFAULT_TIMEOUTS,
  environment: process.env,
  maxBytes: 10 * 1024 ** 3,
  retryDelaysMs: [1000, 5000],
};

/** Modification time of every content, so that any later change shows. The access time is that of its last use. */
const UNTOUCHED = new Date("2000-01-01T00:00:00Z");

/**
 * Downloaded files on this disk, each content once under its sha256. Requests a known URL again, but uses the local
 * copy if the server says that it has not changed.
 */
export class DownloadStore {
  readonly #folder: string;
  readonly settings: DownloadSettings;

  /** `folder`: absolute; created with the first download. */
  constructor(folder: string, settings: DownloadSettings = DEFAULT_DOWNLOADS) {
    this.#folder = folder;
    this.settings = settings;
  }

  /** Rejects with CwlFailure STAGE_IN and one sentence. Undefined: the server says that there is no such file. */
  async fetch(location: string, request: Omit<DownloadRequest, "url" | "known">): Promise<Fetched | undefined> {
    try {
      return isHttp(location) ? await this.#fetchUrl({ ...request, url: location }) : await this.#write(location);
    } catch (error) {
      if (!(error instanceof FetchProblem)) throw error;
      if (error.status === 404 || error.status === 410) return undefined;
      throw fetchFailure(location, error);
    }
  }

  /** Content downloaded earlier, if it still exists unchanged. */
  async find(content: ContentDigest): Promise<Fetched | undefined> {
    const path = this.#pathOf(content);
    const found = await stat(path).catch(undefinedIfMissing);
    const isWhole = found?.size === content.sizeBytes && found.mtimeMs === UNTOUCHED.getTime();
    // The file may be removed at this moment because it has not been used for a while.
    if (!isWhole || !(await markUsed(path))) return undefined;
    const { sha1, sha256, sizeBytes } = content;
    return { sha1, sha256, sizeBytes, path };
  }

  /** Removes contents not used recently, and what was remembered about their URLs. */
  async prune(unused: Omit<UnusedContents, "folder">): Promise<RemovedContents> {
    const removed = await removeUnused({ ...unused, folder: join(this.#folder, "contents") });
    if (!unused.isDryRun && removed.files > 0) {
      await removeRecords(join(this.#folder, "urls"), async (path) => {
        const record = await readRecord(path);
        return record !== undefined && (await stat(this.#pathOf(record)).catch(undefinedIfMissing)) !== undefined;
      });
    }
    return removed;
  }

  async #fetchUrl(request: DownloadRequest): Promise<Fetched> {
    if (isRedacted(request.url))
      throw new FetchProblem("its credentials are not recorded", { hint: "start a new run with the credentials" });
    const recordPath = join(this.#folder, "urls", `${createHash("sha256").update(request.url).digest("hex")}.json`);
    const record = await readRecord(recordPath);
    const known = record === undefined ? undefined : await this.find(record);
    const partial = await this.#newPartial();
    try {
      const result = await download(partial, { ...request, known: known && record }, this.settings);
      if (result.kind === "not-modified") {
        if (known === undefined) throw new FetchProblem("the server answered 304 to an unconditional request");
        return known;
      }
      const fetched = await this.#keep(partial, result);
      await this.#writeRecord(recordPath, { url: redactUrl(request.url), ...result });
      return fetched;
    } finally {
      await rm(partial, { force: true });
    }
  }

  async #write(location: string): Promise<Fetched> {
    const bytes = bytesOfDataUrl(location);
    if (bytes === undefined) throw new FetchProblem(WRONG_DATA);
    const partial = await this.#newPartial();
    await writeFile(partial, bytes);
    return this.#keep(partial, digestOf(bytes));
  }

  /** Visible only once it is complete. */
  async #keep(partial: string, { sha1, sha256, sizeBytes }: ContentDigest): Promise<Fetched> {
    const path = this.#pathOf({ sha256 });
    await mkdir(join(this.#folder, "contents"), { recursive: true });
    await utimes(partial, new Date(), UNTOUCHED);
    await rename(partial, path);
    return { sha1, sha256, sizeBytes, path };
  }

  async #writeRecord(path: string, record: UrlRecord & { readonly kind?: string }): Promise<void> {
    const { kind: _kind, ...kept } = record;
    const partial = await this.#newPartial();
    await mkdir(join(this.#folder, "urls"), { recursive: true });
    await writeFile(partial, JSON.stringify(kept));
    await rename(partial, path);
  }

  async #newPartial(): Promise<string> {
    const folder = join(this.#folder, "partial");
    await mkdir(folder, { recursive: true });
    return join(folder, randomUUID());
  }

  #pathOf({ sha256 }: Pick<ContentDigest, "sha256">): string {
    return join(this.#folder, "contents", sha256);
  }
}

export function fetchFailure(location: string, { message, hint }: Pick<FetchProblem, "message" | "hint">): CwlFailure {
  return new CwlFailure(
    "STAGE_IN",
    `cannot fetch ${shownUrl(location)}: ${message}`,
    hint === undefined ? {} : { hint },
  );
}

/** False if the file is gone. */
async function markUsed(path: string): Promise<boolean> {
  return utimes(path, new Date(), UNTOUCHED).then(
    () => true,
    (error: NodeJS.ErrnoException) => undefinedIfMissing(error) ?? false,
  );
}

/** Reads a record; an unreadable one counts as missing. */
async function readRecord(path: string): Promise<UrlRecord | undefined> {
  const text = await readFile(path, "utf8").catch(undefinedIfMissing);
  if (text === undefined || !text.endsWith("}")) return undefined;
  const record = JSON.parse(text) as UrlRecord; // always written as a whole by `#writeRecord`
  return /^[0-9a-f]{64}$/.test(record.sha256) ? record : undefined;
}

interface UnusedContents {
  /** Absolute path of the folder of contents. */
  readonly folder: string;
  /** Last used at this time or earlier. */
  readonly beforeMs: number;
  /** Contents that are kept regardless of their age, by SHA-256. */
  readonly pinned: ReadonlySet<string>;
  readonly isDryRun: boolean;
}

interface RemovedContents {
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly { readonly path: string; readonly message: string }[];
}

const CONTENT = /^[0-9a-f]{64}$/;

/**
 * Removes contents not used recently. A caller who requests one between the check and the removal gets an error that it
 * is missing.
 */
async function removeUnused({ folder, beforeMs, pinned, isDryRun }: UnusedContents): Promise<RemovedContents> {
  const removed = { files: 0, bytes: 0, failures: [] as { path: string; message: string }[] };
  for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
    if (!CONTENT.test(name) || pinned.has(name)) continue;
    const outcome = removeIfUnused(join(folder, name), beforeMs, isDryRun);
    if (outcome === undefined) continue;
    if (typeof outcome === "string") removed.failures.push({ path: name, message: outcome });
    else {
      removed.files += 1;
      removed.bytes += outcome;
    }
  }
  return removed;
}

/**
 * Synchronous, so nothing happens between the check and the removal. Returns its bytes, why it could not be removed, or
 * undefined if it is kept.
 */
function removeIfUnused(path: string, beforeMs: number, isDryRun: boolean): number | string | undefined {
  try {
    const found = statSync(path);
    if (found.atimeMs > beforeMs) return undefined;
    if (!isDryRun) unlinkSync(path);
    return found.blocks * 512;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : (code ?? message);
  }
}

/** The records of URLs are useless without the contents that `isThere` checks. */
async function removeRecords(folder: string, isThere: (path: string) => Promise<boolean>): Promise<void> {
  for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
    const path = join(folder, name);
    if (!(await isThere(path))) await rm(path, { force: true });
  }
}
