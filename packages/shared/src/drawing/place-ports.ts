/** A port as a drawing shows it. */
export interface DrawnPort {
  readonly name: string;
  readonly typeText: string;
  readonly isConnected: boolean;
  /** A value must arrive, and none does. */
  readonly isMissing: boolean;
}

/** The ports of steps, by their paths. */
export interface PortsOfSteps {
  readonly [path: string]: { readonly inputs: readonly DrawnPort[]; readonly outputs: readonly DrawnPort[] };
}

export interface PlacedPort extends DrawnPort {
  /** The middle of its row, from the top of the node. */
  readonly y: number;
}

export interface PlacedPorts {
  readonly inputs: readonly PlacedPort[];
  readonly outputs: readonly PlacedPort[];
  /** Numbers of ports without a row. */
  readonly hiddenInputs: number;
  readonly hiddenOutputs: number;
  /** Height of the node. */
  readonly height: number;
}

export const PORT_ROW = 24;

/** Up to this many ports have a row each; of more, only those that are connected or lack a value. */
const ALL_UP_TO = 6;
/** No node is taller than this many rows. */
const MOST_ROWS = 16;

/** Gives each port a row below the name of its step. */
export function placePorts({ inputs, outputs }: PortsOfSteps[string], top: number): PlacedPorts {
  const [shownInputs, shownOutputs] = [shown(inputs), shown(outputs)];
  const rows = Math.max(rowsOf(inputs, shownInputs), rowsOf(outputs, shownOutputs));
  const place = (port: DrawnPort, row: number): PlacedPort => ({ ...port, y: top + (row + 0.5) * PORT_ROW });
  return {
    inputs: shownInputs.map(place),
    outputs: shownOutputs.map(place),
    hiddenInputs: inputs.length - shownInputs.length,
    hiddenOutputs: outputs.length - shownOutputs.length,
    height: top + rows * PORT_ROW + (rows === 0 ? 0 : PORT_ROW / 3),
  };
}

function shown(ports: readonly DrawnPort[]): readonly DrawnPort[] {
  if (ports.length <= ALL_UP_TO) return ports;
  return ports.filter(({ isConnected, isMissing }) => isConnected || isMissing).slice(0, MOST_ROWS);
}

/** What has no row is counted in one. */
function rowsOf(all: readonly DrawnPort[], visible: readonly DrawnPort[]): number {
  return visible.length + (all.length > visible.length ? 1 : 0);
}
