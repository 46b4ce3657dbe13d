/** A port as a drawing shows it. */
export interface DrawnPort {
  readonly name: string;
  readonly typeText: string;
  readonly isConnected: boolean;
  /** The port needs a value and gets none. */
  readonly isMissing: boolean;
}

/** The ports of steps and notes about them, by their paths. */
export interface PortsOfSteps {
  readonly [path: string]: {
    readonly inputs: readonly DrawnPort[];
    readonly outputs: readonly DrawnPort[];
    readonly note?: string | undefined;
  };
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
  /** A note, which is shown below the rows. */
  readonly note: string | undefined;
  /** Height of the node. */
  readonly height: number;
}

/** Height of two lines of a note. */
export const NOTE_HEIGHT = 44;

export const PORT_ROW = 24;

/** If a node has more ports than this, only ports that are connected or lack a value have a row. */
const ALL_UP_TO = 6;
/** The maximum number of rows of a node. */
const MOST_ROWS = 16;

/** Places the ports of a step in rows below its name, and its note below them. */
export function placePorts({ inputs, outputs, note }: PortsOfSteps[string], top: number): PlacedPorts {
  const [shownInputs, shownOutputs] = [shown(inputs), shown(outputs)];
  const rows = Math.max(rowsOf(inputs, shownInputs), rowsOf(outputs, shownOutputs));
  const place = (port: DrawnPort, row: number): PlacedPort => ({ ...port, y: top + (row + 0.5) * PORT_ROW });
  return {
    inputs: shownInputs.map(place),
    outputs: shownOutputs.map(place),
    hiddenInputs: inputs.length - shownInputs.length,
    hiddenOutputs: outputs.length - shownOutputs.length,
    note,
    height: top + rows * PORT_ROW + (rows === 0 ? 0 : PORT_ROW / 3) + (note === undefined ? 0 : NOTE_HEIGHT),
  };
}

function shown(ports: readonly DrawnPort[]): readonly DrawnPort[] {
  if (ports.length <= ALL_UP_TO) return ports;
  return ports.filter(({ isConnected, isMissing }) => isConnected || isMissing).slice(0, MOST_ROWS);
}

/** One more row shows the number of ports without their own. */
function rowsOf(all: readonly DrawnPort[], visible: readonly DrawnPort[]): number {
  return visible.length + (all.length > visible.length ? 1 : 0);
}
