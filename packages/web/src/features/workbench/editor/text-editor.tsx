import type { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { showToast } from "../../../ui/toast.tsx";
import type { DraftSession } from "../saving/draft-session.ts";
import { type DocumentService, applyChanges, createEditor, differenceOf, replaceText } from "./create-editor.ts";

const YAML = /\.(ya?ml|cwl|json)$/;

interface TextEditorProps {
  readonly session: DraftSession;
  readonly path: string;
  readonly label: string;
  /** The language service of the document; files have none. */
  readonly service?: DocumentService;
  readonly onReady?: (view: EditorView | undefined) => void;
}

/**
 * The text of a draft. The editor and the draft always have the same text: a change of either is in the other before
 * the next key can be pressed. Otherwise a key would bring back the text from before a merge, or be lost in it.
 */
export default function TextEditor({ session, path, label, service, onReady }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const language = service?.language;
  const renaming = useEffectEvent((name: string, offset: number, text: string) =>
    service?.onRename(name, offset, text),
  );
  const ready = useEffectEvent((view: EditorView | undefined) => onReady?.(view));
  useEffect(() => {
    if (host.current === null) return;
    const view = createEditor(host.current, {
      text: session.textOf(path) ?? "",
      label,
      isYaml: language !== undefined || YAML.test(path),
      service: language && { language, onRename: (name, offset, text) => renaming(name, offset, text) },
      onChange: (text) => session.edit(path, text),
    });
    const stop = session.follow(path, (text, by) => {
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
  }, [session, path, label, language]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}
