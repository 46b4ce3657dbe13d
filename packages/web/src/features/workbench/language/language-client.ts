import { type Remote, proxy, wrap } from "comlink";
import type { DocumentLanguage } from "./document-language.ts";
import type { LanguageService, ListDocuments, ReadFile } from "./language-worker.ts";

/** The catalog, which can change while a document is open. */
interface OpenCatalog {
  readonly read: ReadFile;
  readonly list: ListDocuments;
}

type Method = Exclude<keyof DocumentLanguage, "analyze">;

/** The language service of a document, in a worker of its own. */
export type LanguageClient = {
  readonly [Name in Method]: (
    ...args: Parameters<DocumentLanguage[Name]>
  ) => Promise<Awaited<ReturnType<DocumentLanguage[Name]>>>;
} & { readonly close: () => void };

/**
 * The language service of the document at a path below the catalog folder. Its worker starts with the first request, and
 * again with the first one after `close`, which waits for the answers to earlier requests.
 */
export function openLanguage(path: string, { read, list }: OpenCatalog): LanguageClient {
  let worker: Worker | undefined;
  let opened: Promise<Remote<DocumentLanguage>> | undefined;
  let answered: Promise<unknown> = Promise.resolve();
  const open = (): Promise<Remote<DocumentLanguage>> => {
    worker = startWorker();
    const opening = orFailure(worker, wrap<LanguageService>(worker).openDocument(path, proxy(read), proxy(list)));
    void opening.catch(() => (opened = undefined));
    return opening;
  };
  const ask = async (method: Method, args: readonly unknown[]): Promise<unknown> => {
    const language = await (opened ??= open());
    // The worker has the method of this name; its arguments are those that LanguageClient says.
    return (language[method] as (...args: readonly unknown[]) => unknown)(...args);
  };
  const close = (): void => {
    const closed = worker;
    void answered.then(() => closed?.terminate());
    opened = undefined;
  };
  // Any other property is a method of the service.
  const get = (_: object, name: Method | "close") => {
    if (name === "close") return close;
    return (...args: readonly unknown[]) => {
      const answer = ask(name, args);
      answered = Promise.allSettled([answered, answer]);
      return answer;
    };
  };
  return new Proxy({}, { get }) as LanguageClient;
}

/** Asks the language service in a worker that ends with the last answer. */
export async function askOnce<Answer>(ask: (service: Remote<LanguageService>) => Promise<Answer>): Promise<Answer> {
  const worker = startWorker();
  try {
    return await orFailure(worker, ask(wrap<LanguageService>(worker)));
  } finally {
    worker.terminate();
  }
}

/** The answer of a worker; rejects if its code does not load. */
function orFailure<Answer>(worker: Worker, answer: Promise<Answer>): Promise<Answer> {
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener("error", () => reject(new Error("The language service did not load. Try again.")));
  });
  return Promise.race([answer, failure]);
}

function startWorker(): Worker {
  return new Worker(new URL("./language-worker.ts", import.meta.url), { type: "module" });
}
