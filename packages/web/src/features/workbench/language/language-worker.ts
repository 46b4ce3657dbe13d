import { catalogReader, uriOfPath } from "./catalog-files.ts";
import { DocumentLanguage } from "./document-language.ts";
import type { LanguageRequest, WorkerMessage } from "./language-client.ts";

/** The part of a worker's global scope that is used here; the page's types know only the page's. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<LanguageRequest>) => void): void;
  postMessage(message: WorkerMessage): void;
}

const scope = globalThis as unknown as WorkerScope; // this file runs only as a worker
const wanted = new Map<string, PromiseWithResolvers<string | undefined>>();
let language: DocumentLanguage | undefined;

scope.addEventListener("message", ({ data }) => {
  if (data.method === "file") giveFile(data);
  else void answer(data);
});

async function answer(request: Exclude<LanguageRequest, { readonly method: "file" }>): Promise<void> {
  const { id } = request;
  try {
    scope.postMessage({ kind: "answer", id, result: await resultOf(request) });
  } catch (error) {
    scope.postMessage({ kind: "failure", id, why: error instanceof Error ? error.message : String(error) });
  }
}

async function resultOf(request: Exclude<LanguageRequest, { readonly method: "file" }>): Promise<unknown> {
  if (request.method === "open") {
    const { path, documents } = request.options;
    language = new DocumentLanguage(uriOfPath(path), catalogReader(askForFile), documents.map(uriOfPath));
    return undefined;
  }
  if (language === undefined) throw new Error("no document is open");
  // The client types each method's arguments; messages lose them.
  const method = language[request.method] as (...args: unknown[]) => unknown;
  return method.apply(language, [...request.args]);
}

/** The page reads files: the policy of a worker permits no connection. */
function askForFile(path: string): Promise<string | undefined> {
  const file = Promise.withResolvers<string | undefined>();
  wanted.set(path, file);
  scope.postMessage({ kind: "want", path });
  return file.promise;
}

function giveFile({ path, file }: Extract<LanguageRequest, { readonly method: "file" }>): void {
  const waiting = wanted.get(path);
  wanted.delete(path);
  if ("why" in file) waiting?.reject(new Error(file.why));
  else waiting?.resolve(file.text);
}
