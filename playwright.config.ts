import { defineConfig } from "@playwright/test";
import { LAUNCH_OPTIONS, WHOLE_BROWSER } from "./packages/tooling/suite/launch-options.ts";

/**
 * Each worker has one process of servers; each file of journeys begins with an empty state folder
 * (packages/web/e2e/weft-test.ts).
 */
export default defineConfig({
  testDir: "packages/web/e2e",
  outputDir: "test-results/journeys",
  projects: [
    { name: "pages", testIgnore: "**/*.full.spec.ts" },
    // The headless shell shows no PDF.
    { name: "full", testMatch: "**/*.full.spec.ts", use: { launchOptions: WHOLE_BROWSER } },
    // `npx playwright test --project=pictures` draws the pictures of the README and the guides again.
    { name: "pictures", testMatch: "**/*.pictures.ts" },
  ],
  workers: 2,
  retries: 0,
  reporter: "./packages/tooling/suite/report-journeys.ts",
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 860 },
    // Colors that are changing have no contrast to check.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: LAUNCH_OPTIONS,
  },
});
