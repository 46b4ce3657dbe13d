import type { DocumentLanguage } from "./document-language.ts";

interface OpenOptions {
  /** Path of the document below the catalog folder. */
  readonly path: string;
  /** Paths of the documents that a step could run. */
  readonly documents: readonly string[];
}

type Method = Exclude<keyof DocumentLanguage, "analyze">;

export type LanguageRequest =
  | { readonly id: number; readonly method: "open"; readonly options: OpenOptions }
  | { readonly id: number; readonly method: Method; readonly args: readonly unknown[] }
  | {
      readonly method: "file";
      readonly path: string;
      readonly file: { readonly text: string | undefined } | { readonly why: string };
    };

export type WorkerMessage =
  | { readonly kind: "answer"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly why: string }
  /** A request of the worker for the text of a document in the catalog. */
  | { readonly kind: "want"; readonly path: string };

/** The language service of a document, in a worker of its own. */
export type LanguageClient = {
  readonly [Name in Method]: (
    ...args: Parameters<DocumentLanguage[Name]>
  ) => Promise<Awaited<ReturnType<DocumentLanguage[Name]>>>;
} & { readonly close: () => void };

type ReadFile = (path: string) => Promise<string | undefined>;

/**
 * The worker starts with the first request, and again with the first one after `close`. `readFile` resolves with the
 * text of a document of the catalog, or with undefined if there is none.
 */
export function openLanguage(options: OpenOptions, readFile: ReadFile): LanguageClient {
  let conversation: Conversation | undefined;
  const ask =
    (method: Method) =>
    (...args: readonly unknown[]) => {
      conversation ??= new Conversation(options, readFile);
      return conversation.ask((id) => ({ id, method, args }));
    };
  const methods = {
    view: ask("view"),
    complete: ask("complete"),
    hover: ask("hover"),
    define: ask("define"),
    nameAt: ask("nameAt"),
    rename: ask("rename"),
    format: ask("format"),
    node: ask("node"),
    compatiblePorts: ask("compatiblePorts"),
    ways: ask("ways"),
    draw: ask("draw"),
    renameNode: ask("renameNode"),
    locate: ask("locate"),
    close: () => {
      conversation?.end();
      conversation = undefined;
    },
  };
  // The worker calls the method of the same name; types do not cross its messages.
  return methods as unknown as LanguageClient;
}

/** Requests to one worker, and its responses. */
class Conversation {
  readonly #worker = new Worker(new URL("./language-worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;

  constructor(options: OpenOptions, readFile: ReadFile) {
    const post = (request: LanguageRequest): void => this.#worker.postMessage(request);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === "want") void giveFile(data.path, readFile, post);
      else this.#settle(data);
    });
    void this.ask((id) => ({ id, method: "open", options }));
  }

  ask(request: (id: number) => LanguageRequest): Promise<unknown> {
    const id = ++this.#count;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#worker.postMessage(request(id));
    return answer.promise;
  }

  end(): void {
    this.#worker.terminate();
  }

  #settle(message: Exclude<WorkerMessage, { readonly kind: "want" }>): void {
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === "failure") answer?.reject(new Error(message.why));
    else answer?.resolve(message.result);
  }
}

async function giveFile(path: string, readFile: ReadFile, post: (request: LanguageRequest) => void): Promise<void> {
  try {
    post({ method: "file", path, file: { text: await readFile(path) } });
  } catch (error) {
    post({ method: "file", path, file: { why: error instanceof Error ? error.message : String(error) } });
  }
}
