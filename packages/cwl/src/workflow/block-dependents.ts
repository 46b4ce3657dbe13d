import { stepAt, type Frame } from "./frame.ts";

/** Marks every step that needs this one, directly or not, as one that will never start; answers how many are new. */
export function blockDependents(frame: Frame, number: number): number {
  let blocked = 0;
  const pending = [...stepAt(frame, number).compiled.dependents];
  for (const later of pending) {
    const { compiled, state } = stepAt(frame, later);
    if (state.status !== "waiting") continue;
    state.status = "blocked";
    compiled.size.blocked++;
    blocked++;
    pending.push(...compiled.dependents);
  }
  return blocked;
}
