import { parseExactJson } from "@weft/shared/json/exact-json.ts";

/** One received or sent line of the console. */
export interface ConsoleEntry {
  readonly id: number;
  readonly direction: "received" | "sent" | "note";
  readonly time: string;
  readonly text: string;
  readonly seq: number | undefined;
  readonly type: string;
}

export interface ConsoleState {
  readonly entries: readonly ConsoleEntry[];
  /** Entries that arrived while the view was paused. */
  readonly held: readonly ConsoleEntry[];
  readonly dropped: number;
  readonly paused: boolean;
  readonly nextId: number;
}

export type ConsoleAction =
  | {
      readonly kind: "message";
      readonly direction: ConsoleEntry["direction"];
      readonly text: string;
      readonly time: string;
    }
  | { readonly kind: "pause" }
  | { readonly kind: "clear" };

export const EMPTY_CONSOLE: ConsoleState = { entries: [], held: [], dropped: 0, paused: false, nextId: 1 };

const KEPT = 10_000;

/** The console's memory: the last ten thousand lines; older ones are counted and dropped. */
export function consoleReducer(state: ConsoleState, action: ConsoleAction): ConsoleState {
  switch (action.kind) {
    case "message":
      return add(state, entriesOf(action, state.nextId));
    case "pause":
      return state.paused
        ? keep({ ...state, paused: false, entries: [...state.entries, ...state.held], held: [] })
        : { ...state, paused: true };
    case "clear":
      return { ...state, entries: [], held: [], dropped: 0 };
  }
}

function add(state: ConsoleState, entries: readonly ConsoleEntry[]): ConsoleState {
  const target = state.paused ? "held" : "entries";
  return keep({ ...state, nextId: state.nextId + entries.length, [target]: [...state[target], ...entries] });
}

function keep(state: ConsoleState): ConsoleState {
  const over = Math.max(0, state.entries.length - KEPT);
  const heldOver = Math.max(0, state.held.length - KEPT);
  if (over + heldOver === 0) return state;
  return {
    ...state,
    entries: state.entries.slice(over),
    held: state.held.slice(heldOver),
    dropped: state.dropped + over + heldOver,
  };
}

/** A frame with several events becomes a line for each of them. */
function entriesOf(message: Extract<ConsoleAction, { kind: "message" }>, firstId: number): readonly ConsoleEntry[] {
  const { direction, time, text } = message;
  const line = (value: unknown, id: number): ConsoleEntry => {
    const seq = field(value, "seq");
    return {
      ...{ id, direction, text: JSON.stringify(value), time: textField(value, "time") ?? time },
      seq: typeof seq === "number" ? seq : undefined,
      type: textField(value, "type") ?? textField(value, "op") ?? direction,
    };
  };
  const value = direction === "note" ? undefined : parse(text);
  if (value === undefined) return [{ id: firstId, direction, time, text, seq: undefined, type: direction }];
  const events = field(value, "events");
  return Array.isArray(events) && direction === "received"
    ? events.map((event, place) => line(event, firstId + place))
    : [line(value, firstId)];
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined; // invalid text is shown unchanged
  }
}

function field(value: unknown, name: string): unknown {
  // The value is an object, as just checked.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textField(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === "string" ? text : undefined;
}

/** Lines whose text or type contains the filter; `/…/` is a regular expression. An invalid expression finds nothing. */
export function filterEntries(entries: readonly ConsoleEntry[], filter: string): readonly ConsoleEntry[] {
  if (filter === "") return entries;
  const fits = matcher(filter);
  return entries.filter(({ text, type }) => fits(text) || fits(type));
}

function matcher(filter: string): (text: string) => boolean {
  const expression = /^\/(.+)\/$/.exec(filter)?.[1];
  if (expression === undefined) return (text) => text.toLowerCase().includes(filter.toLowerCase());
  try {
    const pattern = new RegExp(expression, "i");
    return (text) => pattern.test(text);
  } catch {
    return () => false; // incomplete while typing
  }
}
