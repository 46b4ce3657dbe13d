import { CwlFailure } from "./cwl-failure.ts";

export type Attempt<T> = { readonly value: T } | { readonly failure: CwlFailure };

/** Turns a CwlFailure into a value, for callers that continue after it. Rethrows other errors. */
export async function attempt<T>(work: () => Promise<T> | T): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof CwlFailure) return { failure: error };
    throw error;
  }
}
