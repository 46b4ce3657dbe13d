/** Undo and redo states; immutable. */
export interface History<State> {
  readonly past: readonly State[];
  readonly future: readonly State[];
}

export const EMPTY_HISTORY: History<never> = { past: [], future: [] };

/** States share their lists, so many of them need little memory. */
const LONGEST = 200;

/** Saves the state before a change. */
export function recorded<State>({ past }: History<State>, before: State): History<State> {
  return { past: [...past, before].slice(-LONGEST), future: [] };
}

export interface Step<State> {
  readonly state: State;
  readonly history: History<State>;
}

/** Undefined where there is nothing to undo. */
export function undone<State extends object>({ past, future }: History<State>, now: State): Step<State> | undefined {
  const state = past.at(-1);
  if (state === undefined) return undefined;
  return { state, history: { past: past.slice(0, -1), future: [...future, now] } };
}

/** Undefined where nothing was undone. */
export function redone<State extends object>({ past, future }: History<State>, now: State): Step<State> | undefined {
  const state = future.at(-1);
  if (state === undefined) return undefined;
  return { state, history: { past: [...past, now], future: future.slice(0, -1) } };
}
