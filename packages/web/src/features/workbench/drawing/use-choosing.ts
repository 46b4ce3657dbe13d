import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useEffect, useEffectEvent, useMemo, useState } from "react";

/** The steps that are chosen to do something with all of them. */
export function useChoosing(graph: GraphRecord | undefined) {
  const [isOn, setIsOn] = useState(false);
  const [paths, setPaths] = useState<ReadonlySet<string>>(NOTHING);
  const steps = useMemo(() => (graph?.nodes ?? []).flatMap(({ step }) => step ?? []), [graph]);
  // A step can disappear while it is chosen.
  const chosen = useMemo(() => new Set(steps.filter((path) => paths.has(path))), [steps, paths]);
  const clear = (): void => {
    setPaths(NOTHING);
    setIsOn(false);
  };
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape" && (isOn || chosen.size > 0)) clear();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => escape(event);
    globalThis.addEventListener("keydown", listener);
    return () => globalThis.removeEventListener("keydown", listener);
  }, []);
  return {
    chosen,
    isOn,
    setIsOn,
    clear,
    onToggle: (path: string): void =>
      setPaths(chosen.has(path) ? new Set([...chosen].filter((entry) => entry !== path)) : new Set([...chosen, path])),
    onAdd: (added: readonly string[]): void => setPaths(new Set([...chosen, ...added])),
  };
}

const NOTHING: ReadonlySet<string> = new Set();
