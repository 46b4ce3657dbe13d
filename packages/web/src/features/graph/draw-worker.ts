import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { drawNetwork, type Drawing } from "@weft/shared/drawing/draw-network.ts";
import type { PortsOfSteps } from "@weft/shared/drawing/place-ports.ts";

/** A request of the page to this worker; the response is the drawing. */
export interface DrawRequest {
  readonly graph: GraphRecord;
  readonly expanded: readonly string[];
  readonly ports: PortsOfSteps | undefined;
}

/** The part of a worker's global scope that is used here; the page's types know only the page's. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<DrawRequest>) => void): void;
  postMessage(drawing: Drawing): void;
}

const scope = globalThis as unknown as WorkerScope; // this file runs only as a worker
scope.addEventListener("message", ({ data: { graph, expanded, ports } }) =>
  scope.postMessage(drawNetwork(graph, new Set(expanded), ports)),
);
