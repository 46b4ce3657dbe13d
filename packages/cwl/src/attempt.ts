import { CwlFailure } from "./cwl-failure.ts";

export type Attempt<T> = { readonly value: T } | { readonly failure: CwlFailure };

/** Turns a CwlFailure into a value, for those who go on after it. Other errors pass. */
export async function attempt<T>(work: () => Promise<T> | T): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof CwlFailure) return { failure: error };
    throw error;
  }
}
