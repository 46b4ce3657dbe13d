import type { CwlLimits } from "../../limits.ts";

/** Large enough for everything that the tests of networks do, small enough for a test to reach them. */
export const SMALL_LIMITS: CwlLimits = {
  jobsPerScatter: 10_000,
  jobsPerRun: 20_000,
  valueItems: 100_000,
  valueDepth: 100,
  nameBytes: 255,
  listingEntries: 1_000,
  outputObjectBytes: 1_000_000,
  loadedContentBytes: 1_000_000,
};

/** Limits of a network. */
export const SMALL_BOUNDS = { limits: SMALL_LIMITS, openCalls: 20, giveWay: async (): Promise<void> => {} };
