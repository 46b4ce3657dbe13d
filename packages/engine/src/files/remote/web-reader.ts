import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { decodeUtf8, NotUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { FetchProblem, statusProblem, toFetchProblem } from "./fetch-problem.ts";
import type { HttpSettings } from "./http-settings.ts";
import { isHttp, redactUrl } from "./remote-url.ts";

/** The maximum size of a document, as on disk. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/**
 * Fetches documents from the web, and reads all others through `local`. An unavailable document is unreadable, and the
 * reason is remembered.
 */
export class WebReader implements DocumentReader {
  readonly #local: DocumentReader;
  readonly #settings: HttpSettings;
  readonly #problems = new Map<string, FetchProblem>();

  constructor(local: DocumentReader, settings: HttpSettings) {
    this.#local = local;
    this.#settings = settings;
  }

  async read(uri: string): Promise<string | undefined> {
    if (!isHttp(uri)) return this.#local.read(uri);
    try {
      return decodeUtf8(await readUrl(uri, this.#settings));
    } catch (error) {
      if (error instanceof NotUtf8) throw error;
      const problem = toFetchProblem(error);
      if (!(problem instanceof FetchProblem)) throw error;
      this.#problems.set(uri, problem);
      return undefined;
    }
  }

  /** Adds the reason to diagnostics about unreadable documents. */
  explain(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const missing = { message: "there is no such file" };
    return explainUnreadable(diagnostics, (uri) => (isHttp(uri) ? this.#problems.get(uri) : missing));
  }
}

interface Reason {
  readonly message: string;
  readonly hint?: string | undefined;
}

const OFFLINE: Reason = {
  message: "documents are not fetched from the web here",
  hint: "put a copy next to the document and refer to that",
};

/** Explains diagnostics about remote references, for a loader that does not fetch them. */
export function explainOffline(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return explainUnreadable(diagnostics, (uri) => (isHttp(uri) ? OFFLINE : undefined));
}

function explainUnreadable(
  diagnostics: readonly Diagnostic[],
  reasonFor: (uri: string) => Reason | undefined,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const uri = diagnostic.code === "unreadable" ? /(?:https?|file):\S+$/.exec(diagnostic.message)?.[0] : undefined;
    const reason = uri === undefined ? undefined : reasonFor(uri);
    if (uri === undefined || reason === undefined) return diagnostic;
    const message = `${diagnostic.message.replace(uri, redactUrl(uri))}: ${reason.message}`;
    const hint = diagnostic.hint ?? reason.hint;
    return { ...diagnostic, message, ...(hint === undefined ? {} : { hint }) };
  });
}

/** A document, or a helper file of one. Rejects with FetchProblem. */
export async function readUrl(
  url: string,
  settings: HttpSettings,
  signal = new AbortController().signal,
): Promise<Buffer> {
  // Loaded with the first request: the HTTP client accounts for a tenth of a command's start-up time.
  const { httpGet } = await import("./http-get.ts");
  const response = await httpGet({ url, signal }, settings);
  try {
    if (response.statusCode !== 200) throw statusProblem(response.statusCode ?? 0, response.statusMessage ?? "");
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_DOCUMENT_BYTES)
        throw new FetchProblem("it is larger than 16 MiB, the maximum for a document");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}
