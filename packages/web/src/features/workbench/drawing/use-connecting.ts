import { useState } from "react";
import type { Connection, LinkTarget } from "../language/network-gestures.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import { linkOf } from "./link-of.ts";
import type { DrawingActions } from "./use-drawing-actions.ts";

interface OpenQuestion {
  readonly to: string;
  readonly connections: readonly Connection[];
}

/** Connects nodes between which a line was dragged; asks if the line can mean several connections. */
export function useConnecting({ language, live }: DraftEditing, actions: DrawingActions) {
  const [question, setQuestion] = useState<OpenQuestion | undefined>(undefined);
  const choose = (to: string, { port, choice }: Connection): void => {
    setQuestion(undefined);
    const target: LinkTarget = to.startsWith("output:")
      ? { output: to.slice("output:".length) }
      : { step: to, input: port.name };
    actions.act({ kind: "gesture", gesture: linkOf(choice, port, target), shown: to });
  };
  const connect = async (from: string, to: string): Promise<void> => {
    const connections = await language.connections(live.sync.text, from, to);
    const [only, ...others] = connections;
    if (only !== undefined && others.length === 0) choose(to, only);
    else setQuestion({ to, connections });
  };
  return {
    question,
    close: () => setQuestion(undefined),
    choose: (connection: Connection) => question !== undefined && choose(question.to, connection),
    connecting: {
      targetsOf: (path: string) => language.targets(live.sync.text, path),
      onConnect: (from: string, to: string) => void connect(from, to),
    },
  };
}
