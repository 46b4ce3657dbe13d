import { useState, useSyncExternalStore } from "react";
import { useFormStore } from "../fields/form-context.ts";
import type { FormStore, InputValues } from "../model/form-store.ts";
import type { NamedSamples } from "../model/named-samples.ts";
import type { GridPort } from "./grid-port.ts";
import { type SampleRows, readRows, writeRows } from "./sample-rows.ts";

export interface SampleRowsControl {
  readonly rows: SampleRows;
  /** Changes the current rows, even before the page has rendered them. */
  readonly change: (change: (rows: SampleRows) => SampleRows) => void;
  /** Reverts the last change; undefined if there is none. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

export const EMPTY_HISTORY: History<never> = { past: [], future: [] };

/** States share their lists, so many of them need little memory. */
const LONGEST = 200;

/** The rows of the grid, which the form's store keeps as lists, with undo and redo. */
export function useSampleRows(ports: readonly GridPort[]): SampleRowsControl {
  const store = useFormStore();
  const [read] = useState(() => rowsReader(store, ports));
  const rows = useSyncExternalStore(store.subscribe, read);
  const [history, setHistory] = useState<History<SampleRows>>(EMPTY_HISTORY);
  const write = (next: SampleRows): void => {
    const { lists, samples } = writeRows(ports, next);
    store.setLists(lists, samples);
  };
  const change = (edit: (rows: SampleRows) => SampleRows): void => {
    const before = read();
    const next = edit(before);
    if (next === before) return;
    setHistory((old) => recorded(old, before));
    write(next);
  };
  const goTo = (find: typeof undone): (() => void) | undefined => {
    const step = find(history, rows);
    if (step === undefined) return undefined;
    return () => {
      setHistory(step.history);
      write(step.state);
    };
  };
  return { rows, change, undo: goTo(undone), redo: goTo(redone) };
}

/** Reads the rows of the store; returns the same object until one of the lists changes. */
function rowsReader(store: FormStore, ports: readonly GridPort[]): () => SampleRows {
  let last: { values: InputValues; samples: NamedSamples | undefined; rows: SampleRows } | undefined;
  return () => {
    const [values, samples] = [store.values(), store.samples()];
    if (last !== undefined && last.values === values && last.samples === samples) return last.rows;
    const before = last;
    const isSame =
      before !== undefined && before.samples === samples && ports.every(({ id }) => before.values[id] === values[id]);
    last = { values, samples, rows: isSame ? before.rows : readRows(ports, values, samples) };
    return last.rows;
  };
}

/** Undo and redo states; immutable. */
interface History<State> {
  readonly past: readonly State[];
  readonly future: readonly State[];
}

/** Saves the state before a change. */
export function recorded<State>({ past }: History<State>, before: State): History<State> {
  return { past: [...past, before].slice(-LONGEST), future: [] };
}

interface Step<State> {
  readonly state: State;
  readonly history: History<State>;
}

/** The history after an undo; undefined if there is nothing to undo. */
export function undone<State extends object>({ past, future }: History<State>, now: State): Step<State> | undefined {
  const state = past.at(-1);
  if (state === undefined) return undefined;
  return { state, history: { past: past.slice(0, -1), future: [...future, now] } };
}

/** The history after a redo; undefined if nothing was undone. */
export function redone<State extends object>({ past, future }: History<State>, now: State): Step<State> | undefined {
  const state = future.at(-1);
  if (state === undefined) return undefined;
  return { state, history: { past: [...past, now], future: future.slice(0, -1) } };
}
