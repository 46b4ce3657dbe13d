import { expose } from "comlink";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import type { PortsOfSteps } from "@weft/shared/drawing/place-ports.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";

export interface ShownGraph {
  readonly graph: GraphRecord;
  readonly expanded: ReadonlySet<string>;
  readonly ports: PortsOfSteps | undefined;
}

expose(({ graph, expanded, ports }: ShownGraph) => drawNetwork(graph, expanded, ports));
