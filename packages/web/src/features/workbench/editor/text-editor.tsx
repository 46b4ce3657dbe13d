import type { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { showToast } from "../../../ui/toast.tsx";
import type { LanguageClient } from "../language/language-client.ts";
import type { LiveDraft } from "../saving/use-draft-sync.ts";
import { createEditor, replaceText } from "./create-editor.ts";

export interface TextEditorProps {
  readonly live: LiveDraft;
  readonly label: string;
  readonly language: LanguageClient;
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onRename: (name: string, offset: number) => void;
}

/**
 * The text of a draft. The editor and the draft have the same text at every moment: what either changes is in the other
 * before the next key can be pressed. Otherwise a key would bring back the text from before a merge, or be lost in it.
 */
export default function TextEditor({ live, label, language, onReady, onRename }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const renaming = useEffectEvent(onRename);
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    if (host.current === null) return;
    const view = createEditor(host.current, {
      text: live.sync.text,
      label,
      language,
      onChange: (text) => live.sync.edit(text),
      onRename: (name, offset) => renaming(name, offset),
    });
    const stop = live.follow((text, by) => {
      replaceText(view, text);
      if (by !== "") showToast(`Merged changes by ${by}`);
    });
    ready(view);
    return () => {
      stop();
      ready(undefined);
      view.destroy();
    };
  }, [live, label, language]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}
