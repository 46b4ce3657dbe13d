import { useEffect, useMemo, useState } from "react";
import { drawLineage, type LineageDrawing } from "./draw-lineage.ts";
import type { FoldedLineage } from "./fold-lineage.ts";

/** Up to so many nodes are placed within a frame; more of them in a worker. */
const AT_ONCE_UP_TO = 200;

/** The drawing of a lineage; undefined until a large one has been placed for the first time. */
export function useLineageDrawing(folded: FoldedLineage): LineageDrawing | undefined {
  const isSmall = folded.nodes.length <= AT_ONCE_UP_TO;
  const atOnce = useMemo(() => (isSmall ? drawLineage(folded) : undefined), [isSmall, folded]);
  const [late, setLate] = useState<LineageDrawing | undefined>(undefined);
  useEffect(() => {
    if (isSmall) return;
    const worker = new Worker(new URL("./draw-lineage-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<LineageDrawing>) => {
      setLate(data);
      worker.terminate();
    });
    worker.postMessage(folded);
    return () => worker.terminate();
  }, [isSmall, folded]);
  return atOnce ?? late;
}
