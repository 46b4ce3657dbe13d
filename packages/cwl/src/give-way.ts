/**
 * Splits long work into slices, so that it delays no other work. Call it between two steps: the result is undefined
 * until the slice has lasted long enough, so the caller need not wait.
 */
export type GiveWay = () => Promise<void> | undefined;

/** Never yields: for work that cannot be large, and programs that do nothing else meanwhile. */
export const neverGiveWay: GiveWay = () => undefined;
