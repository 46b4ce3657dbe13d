import type { DocumentList } from "@weft/shared/records/draft-record.ts";
import { useEffect, useState } from "react";
import { readDocument } from "../../api/draft-queries.ts";
import type { DocumentView } from "./language/document-language.ts";
import { openLanguage, type LanguageClient } from "./language/language-client.ts";

const LOOK_AFTER_MS = 150;

/** The language service of a document. `documents` counts as it is at first. */
export function useLanguage(path: string, documents: DocumentList): LanguageClient {
  const [language] = useState(() => {
    const files = new Set(documents.files);
    const paths = documents.documents.map((document) => document.path);
    return openLanguage({ path, documents: paths }, async (file) => (files.has(file) ? readDocument(file) : undefined));
  });
  useEffect(() => () => language.close(), [language]);
  return language;
}

/** What the language service says about a text, shortly after it has changed. `text` is the text that was looked at. */
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
