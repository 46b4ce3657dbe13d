import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { ContentDigest } from "../content-digest.ts";
import { FetchProblem, statusProblem, toFetchProblem } from "./fetch-problem.ts";
import type { HttpSettings } from "./http-settings.ts";

export interface DownloadSettings extends HttpSettings {
  /** Refuses larger files, even before the download if the announced size is larger. */
  readonly maxBytes: number;
  /** Delays before attempts that follow a transient failure. */
  readonly retryDelaysMs: readonly number[];
}

export interface DownloadRequest {
  readonly url: string;
  /** The validators of the existing copy: the server answers "not modified" if it is current. */
  readonly known?: Validators | undefined;
  readonly signal: AbortSignal;
  /** Called as bytes arrive; `total` if the server announced it. */
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** The version of a file according to its server. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type Download = { readonly kind: "not-modified" } | ({ readonly kind: "new" } & ContentDigest & Validators);

/**
 * Streams a URL to a new file at `path` and hashes it on the way. Resumes a broken connection (Range) if the server
 * supports it. The bytes are on disk when the promise resolves. Rejects with a FetchProblem, or with the disk's own
 * error; the caller removes a partial file.
 */
export async function download(path: string, request: DownloadRequest, settings: DownloadSettings): Promise<Download> {
  const handle = await open(path, "wx");
  const part = new Part(handle);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await receive(part, request, settings);
      } catch (error) {
        request.signal.throwIfAborted();
        const problem = toFetchProblem(error);
        const delayMs = settings.retryDelaysMs[attempt];
        if (!(problem instanceof FetchProblem) || !problem.isPassing || delayMs === undefined) throw problem;
        await wait(delayMs, undefined, { signal: request.signal });
      }
    }
  } finally {
    await handle.close();
  }
}

/** The data that has arrived so far. */
class Part {
  readonly #handle: FileHandle;
  #sha1 = createHash("sha1");
  #sha256 = createHash("sha256");
  sizeBytes = 0;
  validators: Validators = {};

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async add(chunk: Buffer): Promise<void> {
    this.#sha1.update(chunk);
    this.#sha256.update(chunk);
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.sizeBytes + done);
      done += bytesWritten;
    }
    this.sizeBytes += chunk.length;
  }

  async clear(): Promise<void> {
    await this.#handle.truncate(0);
    this.#sha1 = createHash("sha1");
    this.#sha256 = createHash("sha256");
    this.sizeBytes = 0;
  }

  async finish(): Promise<ContentDigest> {
    await this.#handle.sync();
    return { sha1: `sha1$${this.#sha1.digest("hex")}`, sha256: this.#sha256.digest("hex"), sizeBytes: this.sizeBytes };
  }
}

async function receive(part: Part, request: DownloadRequest, settings: DownloadSettings): Promise<Download> {
  const { url, signal } = request;
  // Loaded with the first request: the HTTP client accounts for a tenth of a command's start-up time.
  const { httpGet } = await import("./http-get.ts");
  const response = await httpGet({ url, signal, headers: conditions(part, request.known) }, settings);
  if (response.statusCode === 304) {
    response.destroy();
    return { kind: "not-modified" };
  }
  try {
    const continues = response.statusCode === 206 && startOf(response) === part.sizeBytes;
    if (response.statusCode !== 200 && !continues)
      throw statusProblem(response.statusCode ?? 0, response.statusMessage ?? "");
    if (!continues) await part.clear();
    const content = await contentOf(response, url);
    // An encoded transfer cannot be resumed, because its ranges refer to the encoded bytes.
    part.validators = content === response ? validatorsOf(response) : {};
    await readAll(content, part, {
      total: content === response ? totalOf(response, part) : undefined,
      request,
      maxBytes: settings.maxBytes,
    });
  } finally {
    response.destroy();
  }
  return { kind: "new", ...(await part.finish()), ...validatorsOf(response) };
}

/** The first attempt checks for a new version; later ones request the remaining bytes. */
function conditions(part: Part, known: Validators | undefined): Record<string, string> {
  const { etag, lastModified } = part.validators;
  const version = etag === undefined || etag.startsWith("W/") ? lastModified : etag;
  if (part.sizeBytes > 0)
    return version === undefined ? {} : { range: `bytes=${part.sizeBytes}-`, "if-range": version };
  return {
    ...(known?.etag === undefined ? {} : { "if-none-match": known.etag }),
    ...(known?.lastModified === undefined ? {} : { "if-modified-since": known.lastModified }),
  };
}

function validatorsOf({ headers }: IncomingMessage): Validators {
  return { etag: headers.etag, lastModified: headers["last-modified"] };
}

function startOf({ headers }: IncomingMessage): number {
  return Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1] ?? -1);
}

/** The decoded bytes of a file, for a server that encodes them although it was asked not to. */
async function contentOf(response: IncomingMessage, url: string): Promise<Readable> {
  const encoding = response.headers["content-encoding"]?.toLowerCase().trim() ?? "identity";
  // Servers describe the content of a compressed file as its encoding.
  const isFile = encoding.endsWith("gzip") && /\.(?:gz|tgz|bgz)$/i.test(new URL(url).pathname);
  if (encoding === "identity" || encoding === "" || isFile) return response;
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const decoders = new Map([
    ["gzip", createGunzip],
    ["x-gzip", createGunzip],
    ["deflate", createInflate],
    ["br", createBrotliDecompress],
  ]);
  const decoder = decoders.get(encoding);
  if (decoder === undefined) throw new FetchProblem(`its server encodes it as ${encoding}, which Weft cannot read`);
  // The reader of the decoded bytes gets every error.
  return pipeline(response, decoder(), () => {});
}

function totalOf({ headers }: IncomingMessage, part: Part): number | undefined {
  const announced = headers["content-length"];
  return announced === undefined ? undefined : part.sizeBytes + Number(announced);
}

interface Reading {
  readonly request: DownloadRequest;
  readonly maxBytes: number;
  readonly total: number | undefined;
}

async function readAll(content: Readable, part: Part, { request, maxBytes, total }: Reading): Promise<void> {
  if (total !== undefined && total > maxBytes) throw tooLarge(`it has ${total} bytes`, maxBytes);
  request.onBytes(part.sizeBytes, total);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (part.sizeBytes + chunk.length > maxBytes) throw tooLarge("it is larger than allowed", maxBytes);
    await part.add(chunk);
    request.onBytes(part.sizeBytes, total);
  }
}

function tooLarge(found: string, maxBytes: number): FetchProblem {
  return new FetchProblem(`${found}; at most ${maxBytes} bytes are allowed`, {
    hint: "allow more with --max-download-bytes",
  });
}
