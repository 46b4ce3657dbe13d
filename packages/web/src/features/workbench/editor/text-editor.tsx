import type { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { showToast } from "../../../ui/toast.tsx";
import type { LanguageClient } from "../language/language-client.ts";
import { DOCUMENT, type DraftSession } from "../saving/draft-session.ts";
import { applyChanges, createEditor, differenceOf, replaceText } from "./create-editor.ts";

interface TextEditorProps {
  readonly session: DraftSession;
  readonly label: string;
  readonly language: LanguageClient;
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onRename: (name: string, offset: number) => void;
}

/**
 * The text of a draft. The editor and the draft always have the same text: a change of either is in the other before
 * the next key can be pressed. Otherwise a key would bring back the text from before a merge, or be lost in it.
 */
export default function TextEditor({ session, label, language, onReady, onRename }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const renaming = useEffectEvent(onRename);
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    if (host.current === null) return;
    const view = createEditor(host.current, {
      text: session.text,
      label,
      language,
      onChange: (text) => session.edit(DOCUMENT, text),
      onRename: (name, offset) => renaming(name, offset),
    });
    const stop = session.follow(DOCUMENT, (text, by) => {
      const change = differenceOf(view.state.doc.toString(), text);
      if (change === undefined) return;
      if (by === undefined) return applyChanges(view, [change]);
      replaceText(view, change);
      showToast(`Merged changes by ${by}`);
    });
    ready(view);
    return () => {
      stop();
      ready(undefined);
      view.destroy();
    };
  }, [session, label, language]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}
