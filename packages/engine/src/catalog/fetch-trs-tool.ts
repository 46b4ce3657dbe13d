import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { hash } from "node:crypto";
import { posix } from "node:path";
import { z } from "zod";
import { FetchProblem } from "../files/remote/fetch-problem.ts";
import type { HttpSettings } from "../files/remote/http-settings.ts";
import { readUrl } from "../files/remote/web-reader.ts";
import { pinDigest } from "./read-pin.ts";

const MAX_FILES = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/** `trs://host/id/version`, optionally with the digest that the files must have. */
export interface TrsAddress {
  /** The content without the digest. */
  readonly text: string;
  /** Address of the version, without a slash at the end. */
  readonly url: string;
  readonly id: string;
  readonly version: string;
  readonly digest: string | undefined;
  /** The file to run, if the address names one; otherwise the registry names it. */
  readonly file?: string | undefined;
}

/** A version of a tool in another registry, complete. */
export interface TrsTool {
  readonly primary: string;
  /** The contents by path, relative to one folder that no path leaves. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** `sha256:` over the names and checksums of all files. */
  readonly digest: string;
}

const FORM =
  /^trs:\/\/(?<host>[^/?#\s@]+)\/(?<id>[^?#\s]+)\/(?<version>[^/?#\s]+?)(?:#(?<digest>sha256:[0-9a-f]{64}))?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Parses a `trs://` address; undefined for any other address. Registries are queried over https; on this machine, http
 * is allowed.
 */
export function parseTrsAddress(address: string): TrsAddress | undefined {
  const { host = "", id = "", version = "", digest } = FORM.exec(address)?.groups ?? {};
  if (host === "") return undefined;
  const root = `${LOOPBACK.test(host) ? "http" : "https"}://${host}/ga4gh/trs/v2/tools`;
  return { text: address.split("#")[0] ?? address, ...versionAt(root, decoded(id), decoded(version)), digest };
}

function versionAt(root: string, id: string, version: string) {
  return { url: `${root}/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`, id, version };
}

const URL_FORM =
  /^(?<root>https?:\/\/(?<host>[^/?#\s@]+)(?:\/[^?#\s]+)?\/ga4gh(?:\/trs)?\/v2\/tools)\/(?<id>[^/?#\s]+)\/versions\/(?<version>[^/?#\s]+)(?:\/(?:PLAIN[_-])?CWL(?:\/(?:descriptor(?:\/(?<file>[^?#\s]+))?|files))?)?\/?$/i;

/** The http(s) address of a version in a registry, or of its document. Undefined for everything else. */
export function parseTrsUrl(text: string): TrsAddress | undefined {
  const { root, host = "", id = "", version = "", file } = URL_FORM.exec(text)?.groups ?? {};
  if (root === undefined || (text.startsWith("http:") && !LOOPBACK.test(host))) return undefined;
  const named = file === undefined ? {} : { file: decoded(file) };
  return { text, ...versionAt(root, decoded(id), decoded(version)), digest: undefined, ...named };
}

const fileListSchema = z
  .array(
    z.object({
      path: z.string().min(1).max(1000),
      file_type: z.string(),
      checksum: z.object({ checksum: z.string(), type: z.string() }).optional(),
    }),
  )
  .max(MAX_FILES);
type ListedFile = z.infer<typeof fileListSchema>[number];

/** Fetches the document with its helper files, and checks the registry's checksums. Rejects with FetchProblem. */
export async function fetchTrsTool(
  address: TrsAddress,
  settings: HttpSettings,
  signal?: AbortSignal,
): Promise<TrsTool> {
  const listed = (await listFiles(address, settings, signal)).filter(({ file_type: type }) => isNeeded(type));
  const first = listed.find(({ file_type: type }) => type === "PRIMARY_DESCRIPTOR");
  if (first === undefined) throw new FetchProblem("the registry lists no CWL document for this version");
  const files = new Map<string, Buffer>();
  let left = MAX_BYTES;
  for (const file of listed) {
    const bytes = await readUrl(
      `${address.url}/PLAIN_CWL/descriptor/${encodeURIComponent(file.path)}`,
      settings,
      signal,
    );
    left -= bytes.length;
    if (left < 0) throw new FetchProblem("its files are larger than 64 MiB");
    checkContent(file, bytes);
    files.set(safePath(file.path), bytes);
  }
  const sums = [...files].map(([path, bytes]) => [path, hash("sha256", bytes)] as const);
  const digest = pinDigest(Object.fromEntries(sums));
  if (address.digest !== undefined && address.digest !== digest)
    throw new FetchProblem(`the files have the digest ${digest}, not ${address.digest}`);
  const named = address.file === undefined ? undefined : safePath(address.file);
  return { primary: named !== undefined && files.has(named) ? named : safePath(first.path), files, digest };
}

async function listFiles(
  { url }: TrsAddress,
  settings: HttpSettings,
  signal: AbortSignal | undefined,
): Promise<readonly ListedFile[]> {
  const text = (await readUrl(`${url}/CWL/files`, settings, signal)).toString("utf8");
  try {
    return fileListSchema.parse(JSON.parse(text));
  } catch {
    // Whatever the fault is, the list does not follow the standard.
    throw new FetchProblem("the registry's list of files is not one of TRS 2.0");
  }
}

function isNeeded(type: string): boolean {
  return ["PRIMARY_DESCRIPTOR", "SECONDARY_DESCRIPTOR", "OTHER"].includes(type);
}

function checkContent({ path, checksum }: ListedFile, bytes: Buffer): void {
  if (checksum === undefined || !/^sha-?256$/i.test(checksum.type)) return;
  if (hash("sha256", bytes) !== checksum.checksum.toLowerCase())
    throw new FetchProblem(`the file ${path} does not have the checksum that the registry gives`);
}

/** Registries list paths relative to the document or to a repository, whose root some write as `/`. */
function safePath(path: string): string {
  const safe = posix.normalize(path.replace(/^\/+/, ""));
  const isOutside =
    safe === "." || safe.startsWith("../") || safe === ".." || safe.includes("\\") || safe.includes("\0");
  if (isOutside) throw new FetchProblem(`the registry lists a file outside its folder: ${JSON.stringify(path)}`);
  return safe;
}
