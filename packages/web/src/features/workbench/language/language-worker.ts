import { expose, proxy } from "comlink";
import { catalogReader, uriOfPath } from "./catalog-files.ts";
import { DocumentLanguage } from "./document-language.ts";
import { networkAround, networkOfSteps, sourceOfOutput } from "./network-from-run.ts";

/** The page reads files: the policy of a worker permits no connection. */
function openDocument(path: string, readFile: ReadFile, listDocuments: ListDocuments) {
  const list: ListDocuments = async () => (await listDocuments()).map(uriOfPath);
  return proxy(new DocumentLanguage(uriOfPath(path), catalogReader(readFile), list));
}

/** Resolves with the text of a document of the catalog, or with undefined if there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** Resolves with the paths of the documents that a step could run. */
export type ListDocuments = () => Promise<readonly string[]>;

const service = { openDocument, networkAround, networkOfSteps, sourceOfOutput };
export type LanguageService = typeof service;

expose(service);
