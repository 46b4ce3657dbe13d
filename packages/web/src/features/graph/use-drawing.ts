import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useEffect, useMemo, useState } from "react";
import { countNodes, drawNetwork, type Drawing } from "@weft/shared/drawing/draw-network.ts";
import type { PortsOfSteps } from "@weft/shared/drawing/place-ports.ts";
import type { DrawRequest } from "./draw-worker.ts";

/** Up to this many nodes are laid out within a frame; more of them in a worker, so that the page stays responsive. */
const AT_ONCE_UP_TO = 80;

/** The drawing of a network; undefined until the worker has laid out a large one for the first time. */
export function useDrawing(
  graph: GraphRecord,
  expanded: ReadonlySet<string>,
  ports?: PortsOfSteps,
): Drawing | undefined {
  const isSmall = useMemo(() => countNodes(graph) <= AT_ONCE_UP_TO, [graph]);
  const atOnce = useMemo(
    () => (isSmall ? drawNetwork(graph, expanded, ports) : undefined),
    [isSmall, graph, expanded, ports],
  );
  const [late, setLate] = useState<Drawing | undefined>(undefined);
  useEffect(() => {
    if (isSmall) return;
    const worker = new Worker(new URL("./draw-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Drawing>) => {
      setLate(data);
      worker.terminate();
    });
    const request: DrawRequest = { graph, expanded: [...expanded], ports };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [isSmall, graph, expanded, ports]);
  return atOnce ?? late;
}
