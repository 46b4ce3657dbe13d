import type { CwlLimits } from "../limits.ts";

/** Limits that no ordinary test reaches. */
export const TEST_LIMITS: CwlLimits = {
  jobsPerScatter: 100_000,
  jobsPerRun: 1_000_000,
  valueItems: 2_000_000,
  valueDepth: 256,
  nameBytes: 255,
  listingEntries: 100_000,
  outputObjectBytes: 16 * 1024 ** 2,
  loadedContentBytes: 64 * 1024 ** 2,
};

/** Large enough for everything that the tests of networks do, small enough for a test to reach them. */
export const SMALL_LIMITS: CwlLimits = {
  ...{ jobsPerScatter: 10_000, jobsPerRun: 20_000, valueItems: 100_000, valueDepth: 100, nameBytes: 255 },
  ...{ listingEntries: 1_000, outputObjectBytes: 1_000_000, loadedContentBytes: 1_000_000 },
};
