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
