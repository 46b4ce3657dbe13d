// The tiers of the test suite. The name of a file shows its tier.
import { globSync } from "node:fs";
import { ROOT } from "../install.mjs";

export const TIERS = ["pure", "service", "machine", "pages", "full"] as const;
export type Tier = (typeof TIERS)[number];

/** The tiers of `npm test`. */
export const EVERYDAY: readonly Tier[] = ["pure", "service", "machine", "pages"];

export function isTier(word: string): word is Tier {
  return (TIERS as readonly string[]).includes(word);
}

/** The tier of a test that Node runs: `x.machine.test.ts` belongs to `machine`, and `x.test.ts` is pure. */
export function tierOf(file: string): Tier {
  const named = /\.(\w+)\.test\.ts$/u.exec(file)?.[1] ?? "pure";
  return isTier(named) ? named : "pure";
}

/** Test files of a tier, below the root folder; only those whose path contains one of `words`, if there are any. */
export function testFiles(tier: Tier, words: readonly string[] = []): string[] {
  return globSync("packages/**/*.test.ts", { cwd: ROOT, exclude: ["**/node_modules/**", "**/dist/**"] })
    .filter((file) => tierOf(file) === tier && (words.length === 0 || words.some((word) => file.includes(word))))
    .toSorted();
}
