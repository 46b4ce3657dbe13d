import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { LocatedProblem } from "../language/document-language.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import type { RunFailure } from "./run-failure.ts";

/** Where a failure is in the text; it follows the text. The editor shows the place once. */
export function useLocatedFailure(
  failure: RunFailure | undefined,
  { language, viewed, isReady, show }: Pick<DraftEditing, "language" | "viewed" | "isReady" | "show">,
): LocatedProblem | undefined {
  const [located, setLocated] = useState<{ readonly key: string; readonly found: LocatedProblem | undefined }>();
  const shown = useRef("");
  const text = viewed?.text;
  const key = failure === undefined ? "" : `${failure.runId} ${failure.jobId ?? ""}`;
  const reveal = useEffectEvent((found: LocatedProblem | undefined) => {
    if (found === undefined || shown.current === key) return;
    shown.current = key;
    show(found.from);
  });
  const { step, code, place } = failure ?? NOTHING;
  useEffect(() => {
    if (key === "" || text === undefined || !isReady) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const found = await language.locate(text, { step, code, place });
      if (!isCurrent) return;
      setLocated({ key, found });
      reveal(found);
    };
    // Without a connection to read the documents of the steps, the failure has no place.
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [language, key, step, code, place, text, isReady]);
  return key !== "" && located?.key === key ? located.found : undefined;
}

const NOTHING = { step: "", code: "", place: undefined };
