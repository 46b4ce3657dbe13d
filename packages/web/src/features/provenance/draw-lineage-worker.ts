import { drawLineage, type LineageDrawing } from "./draw-lineage.ts";
import type { FoldedLineage } from "./fold-lineage.ts";

/** The part of a worker's global scope that is used here; the page's types know only the page's. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<FoldedLineage>) => void): void;
  postMessage(drawing: LineageDrawing): void;
}

const scope = globalThis as unknown as WorkerScope; // this file runs only as a worker
scope.addEventListener("message", ({ data }) => scope.postMessage(drawLineage(data)));
