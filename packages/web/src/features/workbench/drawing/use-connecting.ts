import { useState } from "react";
import type { Way } from "../language/network-gestures.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import type { DrawingActions } from "./use-drawing-actions.ts";

type Target = { readonly path: string; readonly port?: string };

/** Connects ports between which a line was dragged; asks unless the line can mean only a plain link. */
export function useConnecting({ language, live }: DraftEditing, actions: DrawingActions) {
  const [question, setQuestion] = useState<readonly Way[]>([]);
  const choose = ({ gestures }: Way): void => {
    setQuestion([]);
    actions.change(...gestures);
  };
  const connect = async (source: string, to: Target): Promise<void> => {
    const ways = await language.ways(live.sync.text, source, to);
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
      takersOf: (source: string) => language.takers(live.sync.text, source),
      onConnect: (source: string, to: Target) => void connect(source, to),
    },
  };
}
