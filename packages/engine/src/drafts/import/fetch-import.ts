import { posix } from "node:path";
import { fetchTrsTool, parseTrsAddress, parseTrsUrl } from "../../catalog/fetch-trs-tool.ts";
import { versionName } from "../../catalog/catalog-name.ts";
import { FetchProblem } from "../../files/remote/fetch-problem.ts";
import type { HttpSettings } from "../../files/remote/http-settings.ts";
import { redactUrl } from "../../files/remote/remote-url.ts";
import { readUrl } from "../../files/remote/web-reader.ts";
import { referencesIn } from "../edit-references.ts";

const MAX_FILES = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/** The content of an address. */
export interface FetchedImport {
  /** The address without passwords. */
  readonly title: string;
  /** A zip, files by path, or a document whose references have yet to be fetched. */
  readonly content: { readonly zip: Buffer } | { readonly files: ReadonlyMap<string, Buffer> } | FetchedDocument;
  /** The version according to the registry. */
  readonly version?: string | undefined;
}

export interface FetchedDocument {
  readonly url: string;
  readonly document: Uint8Array;
}

/**
 * Fetches from an address: `trs://…` or the address of a version in a TRS registry, a zip, or a document. Contacts only
 * the hosts in the settings. Rejects with FetchProblem.
 */
export async function fetchImport(
  address: string,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<FetchedImport> {
  const trs = parseTrsAddress(address) ?? parseTrsUrl(address);
  if (trs !== undefined) {
    const { primary, files } = await fetchTrsTool(trs, settings, signal);
    // Registries often give documents meaningless names.
    const named = new Map(
      [...files].map(([path, content]) => [posix.join(trs.id.split(/[/:]/).at(-1) ?? "", path), content]),
    );
    return { title: `${trs.text} (${primary})`, content: { files: named }, version: versionName(trs.version) };
  }
  if (!/^https?:\/\//.test(address)) throw new FetchProblem("it is neither an http(s) URL nor trs://HOST/ID/VERSION");
  const first = await readUrl(address, settings, signal);
  const title = redactUrl(address);
  if (first.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"))) return { title, content: { zip: first } };
  return { title, content: { url: address, document: first } };
}

/** A file that a document refers to; undefined: the server does not have it, which is reported with the import. */
export async function fetchPart(
  url: string,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  return readUrl(url, settings, signal).catch((error: unknown) => {
    if (error instanceof FetchProblem && /\b40[34]\b/.test(error.message)) return undefined;
    throw error;
  });
}

/**
 * Fetches a document and the files that it refers to from its own server. Paths are relative to the highest folder of
 * these files. Runs in a thread, because it parses all of them.
 */
export async function fetchReferred(
  { url: address, document }: FetchedDocument,
  fetch: (url: string) => Promise<Uint8Array | undefined>,
): Promise<ReadonlyMap<string, Buffer>> {
  const { origin } = new URL(address);
  const first = Buffer.from(document);
  const contents = new Map<string, Buffer>([[withoutQuery(address), first]]);
  let left = MAX_BYTES - first.length;
  for (const [url, content] of contents) {
    for (const next of referredBy(url, content, origin)) {
      if (contents.has(next)) continue;
      if (contents.size >= MAX_FILES) throw new FetchProblem(`it refers to more than ${MAX_FILES} files`);
      const answer = await fetch(next);
      if (answer === undefined) continue;
      const fetched = Buffer.from(answer);
      left -= fetched.length;
      if (left < 0) throw new FetchProblem("its files are larger than 64 MiB");
      // The loop also visits the files that are added here.
      contents.set(next, fetched);
    }
  }
  const paths = [...contents.keys()].map((url) => decodeURIComponent(new URL(url).pathname).split("/").slice(1));
  const shared = sharedFolders(paths);
  return new Map(
    [...contents.values()].map((content, index) => [safePath(paths[index]?.slice(shared) ?? []), content]),
  );
}

function referredBy(url: string, content: Buffer, origin: string): string[] {
  const isText =
    /\.(?:cwl|ya?ml|json)$/.test(new URL(url).pathname) || content.subarray(0, 4096).includes("cwlVersion");
  if (!isText) return [];
  return referencesIn(content.toString("utf8"), url).flatMap(({ target, written }) => {
    const isOwn = !/^[a-z][a-z0-9+.-]*:|^#|\$[({]/i.test(written) && target.startsWith(`${origin}/`);
    return isOwn ? [withoutQuery(target)] : [];
  });
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}

function sharedFolders(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths;
  const depth = Math.min(...paths.map((path) => path.length - 1));
  for (let index = 0; index < depth; index++) if (paths.some((path) => path[index] !== first[index])) return index;
  return depth;
}

function safePath(segments: readonly string[]): string {
  const isSafe = segments.every((segment) => !/^\.{0,2}$|[/\\\0-\x1f]/.test(segment));
  if (!isSafe || segments.length === 0) throw new FetchProblem("its address has no name that a file can have");
  return segments.join("/");
}
