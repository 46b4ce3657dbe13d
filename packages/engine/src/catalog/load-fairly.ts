import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { loadDocument, type LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { NotUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { Gate } from "../async/gate.ts";
import { inOwnThread } from "../async/own-thread.ts";

/** The result of the thread. */
export interface ThreadDocument {
  readonly loaded: PackedDocument;
  /** The objects in `loaded` without a prototype, which a copy does not preserve. */
  readonly bare: readonly object[];
}

/** The answer to a question of the thread. */
export interface ReadText {
  readonly text?: string | undefined;
  readonly notUtf8?: Pick<NotUtf8, "message" | "line" | "byte" | "column">;
}

type PackedDocument = LoadedDocument & { readonly packed?: string | undefined };

/** The maximum number of characters of all documents together; loading this many takes about 50 ms. */
const MAX_HERE = 50_000;
const HEAP_MB = 1024;
const MAX_WAIT_MS = 60_000;
/** The maximum number of concurrent threads. */
const gate = new Gate(2);

/** Loads a document like `loadDocument`, but a large one in a thread, so that the server can answer others meanwhile. */
export async function loadFairly(uri: string, reader: DocumentReader): Promise<PackedDocument> {
  const tooLarge = Promise.withResolvers<undefined>();
  let characters = 0;
  const read = async (asked: string) => {
    const text = await reader.read(asked);
    characters += text?.length ?? 0;
    if (characters <= MAX_HERE) return text;
    tooLarge.resolve(undefined);
    // No caller waits for this attempt.
    return new Promise<never>(() => undefined);
  };
  return (await Promise.race([loadDocument(uri, { reader: { read } }), tooLarge.promise])) ?? loadInThread(uri, reader);
}

/** Canonical JSON of a document with everything it refers to; undefined if too much is missing. */
export function packedText(loaded: PackedDocument): string | undefined {
  const { packed, process } = loaded;
  return packed ?? (process === undefined ? undefined : JSON.stringify(packDocument({ ...loaded, process })));
}

async function loadInThread(uri: string, reader: DocumentReader): Promise<PackedDocument> {
  const { loaded, bare } = await gate.pass(() =>
    inOwnThread<ThreadDocument, string, ReadText>({
      script: new URL("./load-worker.ts", import.meta.url),
      input: uri,
      ...{ heapMb: HEAP_MB, maxWaitMs: MAX_WAIT_MS, answer: async (asked) => readText(asked, reader) },
      tooCostly: (why) => new Refusal("invalid-document", `The document is too large: ${why} to read.`),
    }),
  );
  for (const object of bare) Object.setPrototypeOf(object, null);
  return loaded;
}

async function readText(uri: string, reader: DocumentReader): Promise<ReadText> {
  try {
    return { text: await reader.read(uri) };
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    const { message, line, byte, column } = error;
    return { notUtf8: { message, line, byte, column } };
  }
}
