import { expose, proxy } from "comlink";
import { catalogReader, uriOfPath } from "./catalog-files.ts";
import { DocumentLanguage } from "./document-language.ts";
import { networkAround, networkOfSteps, sourceOfOutput } from "./network-from-run.ts";

/** The page reads files: the policy of a worker permits no connection. */
function openDocument(path: string, documents: readonly string[], readFile: ReadFile) {
  return proxy(new DocumentLanguage(uriOfPath(path), catalogReader(readFile), documents.map(uriOfPath)));
}

/** Resolves with the text of a document of the catalog, or with undefined if there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

const service = { openDocument, networkAround, networkOfSteps, sourceOfOutput };
export type LanguageService = typeof service;

expose(service);
