import { useState } from "react";
import { showError } from "../../../ui/toast.tsx";
import type { Way } from "../language/network-gestures.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import type { DrawingActions } from "./use-drawing-actions.ts";

type Target = { readonly path: string; readonly port?: string };

/** Connects ports between which a line was dragged; asks unless the line can mean only a plain link. */
export function useConnecting({ language, session }: DraftEditing, actions: DrawingActions) {
  const [question, setQuestion] = useState<readonly Way[]>([]);
  const choose = ({ gestures }: Way): void => {
    setQuestion([]);
    actions.change(...gestures);
  };
  const connect = async (source: string, to: Target): Promise<void> => {
    const ways = await language.ways(session.text, source, to);
    const [only, ...others] = ways;
    const isPlain = only?.kind === "direct" && others.length === 0 && only.replaces.length === 0;
    if (isPlain) choose(only);
    else setQuestion(ways);
  };
  return {
    question,
    close: () => setQuestion([]),
    choose,
    connecting: {
      takersOf: (source: string) => language.takers(session.text, source),
      onConnect: (source: string, to: Target) =>
        void connect(source, to).catch((error: Error) => showError(error.message)),
    },
  };
}
