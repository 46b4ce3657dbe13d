import type { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import type { LanguageClient } from "../language/language-client.ts";
import { createEditor } from "./create-editor.ts";

export interface TextEditorProps {
  readonly text: string;
  readonly label: string;
  readonly language: LanguageClient;
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onChange: (text: string) => void;
  readonly onRename: (name: string, offset: number) => void;
}

/** The text of a document. `text` is what it starts with; then the editor owns it. */
export default function TextEditor({ text, label, language, onReady, onChange, onRename }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const renaming = useEffectEvent(onRename);
  const ready = useEffectEvent(onReady);
  const first = useRef(text);
  useEffect(() => {
    if (host.current === null) return;
    const view = createEditor(host.current, {
      text: first.current,
      label,
      language,
      onChange: (next) => {
        first.current = next;
        changed(next);
      },
      onRename: (name, offset) => renaming(name, offset),
    });
    ready(view);
    return () => {
      ready(undefined);
      view.destroy();
    };
  }, [label, language]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}
