import { wrap } from "comlink";
import { useEffect, useMemo, useState } from "react";

interface Drawer<Graph, Drawing> {
  readonly draw: (graph: Graph) => Drawing;
  /** Starts a worker that exposes `draw`. */
  readonly start: () => Worker;
}

/**
 * The drawing of a graph. A large one is drawn in a worker, so that the page stays responsive; until then it is undefined
 * or the previous one.
 */
export function useDrawn<Graph, Drawing>(
  graph: Graph,
  isSmall: boolean,
  { draw, start }: Drawer<Graph, Drawing>,
): Drawing | undefined {
  const atOnce = useMemo(() => (isSmall ? draw(graph) : undefined), [isSmall, draw, graph]);
  const [late, setLate] = useState<Drawing | undefined>(undefined);
  useEffect(() => {
    if (isSmall) return;
    const worker = start();
    // Comlink's types cannot follow an open type.
    const drawThere = wrap(worker) as unknown as (wanted: Graph) => Promise<Drawing>;
    const show = async (): Promise<void> => {
      setLate(await drawThere(graph));
      worker.terminate();
    };
    void show();
    return () => worker.terminate();
  }, [isSmall, start, graph]);
  return atOnce ?? late;
}
