import { useEffect, useState } from "react";
import type { NodeView } from "../language/network-gestures.ts";
import type { DraftEditing } from "../use-draft-editor.ts";

/** The selected node as the language service describes it; undefined while there is none. */
export function useNodeView({ language, viewed }: DraftEditing, path: string): NodeView | undefined {
  const [found, setFound] = useState<{ readonly path: string; readonly node: NodeView | undefined }>();
  const text = viewed?.text;
  useEffect(() => {
    if (path === "" || text === undefined) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const node = await language.node(text, path);
      if (isCurrent) setFound({ path, node });
    };
    // Without a connection to read the step's document, the last description stays.
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [language, text, path]);
  return found?.path === path ? found.node : undefined;
}
