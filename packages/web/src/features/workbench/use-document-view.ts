import type { DocumentList } from "@weft/shared/records/draft-record.ts";
import { useEffect, useState } from "react";
import { loadDraft, readDocument } from "../../api/draft-queries.ts";
import type { DocumentView } from "./language/document-language.ts";
import { openLanguage, type LanguageClient } from "./language/language-client.ts";

const LOOK_AFTER_MS = 150;

/** The targets of a document's references. */
export interface KnownDocuments {
  readonly documents: DocumentList;
  /** Drafts by the paths where they will be published. */
  readonly peers: ReadonlyMap<string, string>;
}

/** The language service of a document. What is known counts as it is at first. */
export function useLanguage(path: string, { documents, peers }: KnownDocuments): LanguageClient {
  const [language] = useState(() => {
    const files = new Set(documents.files);
    const paths = documents.documents.map((document) => document.path);
    const read = async (file: string): Promise<string | undefined> => {
      if (files.has(file)) return readDocument(file);
      const draft = peers.get(file);
      return draft === undefined ? undefined : (await loadDraft(draft)).text;
    };
    return openLanguage({ path, documents: paths }, read);
  });
  useEffect(() => () => language.close(), [language]);
  return language;
}

/**
 * The language service's findings about a text, shortly after it has changed. `text` is the text that was looked at.
 */
export interface ViewedText {
  readonly text: string;
  readonly view: DocumentView;
}

export function useDocumentView(language: LanguageClient, text: string): ViewedText | undefined {
  const [viewed, setViewed] = useState<ViewedText | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const view = await language.view(text);
      if (isCurrent) setViewed({ text, view });
    };
    // Without a connection to read other documents, what is shown stays until the next change.
    const timer = setTimeout(() => void look().catch(() => undefined), LOOK_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [language, text]);
  return viewed;
}
