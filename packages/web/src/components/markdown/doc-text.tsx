import { useMemo } from "react";
import { MarkdownView } from "./markdown-view.tsx";
import { parseMarkdown } from "./parse-markdown.ts";

/** The `doc` of a CWL document: Markdown by custom, never HTML. */
export function DocText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <MarkdownView blocks={blocks} />;
}
