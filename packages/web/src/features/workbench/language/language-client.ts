import { type Remote, proxy, wrap } from "comlink";
import type { DocumentLanguage } from "./document-language.ts";
import type { LanguageService, ReadFile } from "./language-worker.ts";

interface OpenOptions {
  /** Path of the document below the catalog folder. */
  readonly path: string;
  /** Paths of the documents that a step could run. */
  readonly documents: readonly string[];
}

type Method = Exclude<keyof DocumentLanguage, "analyze">;

/** The language service of a document, in a worker of its own. */
export type LanguageClient = {
  readonly [Name in Method]: (
    ...args: Parameters<DocumentLanguage[Name]>
  ) => Promise<Awaited<ReturnType<DocumentLanguage[Name]>>>;
} & { readonly close: () => void };

/** The worker starts with the first request, and again with the first one after `close`. */
export function openLanguage({ path, documents }: OpenOptions, readFile: ReadFile): LanguageClient {
  let worker: Worker | undefined;
  let opened: Promise<Remote<DocumentLanguage>> | undefined;
  const open = (): Promise<Remote<DocumentLanguage>> => {
    worker = startWorker();
    return wrap<LanguageService>(worker).openDocument(path, documents, proxy(readFile));
  };
  const ask = async (method: Method, args: readonly unknown[]): Promise<unknown> => {
    const language = await (opened ??= open());
    // The worker has the method of this name; its arguments are those that LanguageClient says.
    return (language[method] as (...args: readonly unknown[]) => unknown)(...args);
  };
  const close = (): void => {
    worker?.terminate();
    opened = undefined;
  };
  // Any other property is a method of the service.
  const get = (_: object, name: Method | "close") =>
    name === "close" ? close : (...args: readonly unknown[]) => ask(name, args);
  return new Proxy({}, { get }) as LanguageClient;
}

/** Asks the language service in a worker that ends with the last answer. */
export async function askOnce<Answer>(ask: (service: Remote<LanguageService>) => Promise<Answer>): Promise<Answer> {
  const worker = startWorker();
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener("error", () => reject(new Error("The language service did not load. Try again.")));
  });
  try {
    return await Promise.race([ask(wrap<LanguageService>(worker)), failure]);
  } finally {
    worker.terminate();
  }
}

function startWorker(): Worker {
  return new Worker(new URL("./language-worker.ts", import.meta.url), { type: "module" });
}
