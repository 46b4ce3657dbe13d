import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const SYSTEM_CHROMIUM = "/usr/bin/chromium";

/** Each worker has a server of its own with an empty state folder (packages/web/e2e/weft-test.ts). */
export default defineConfig({
  testDir: "packages/web/e2e",
  outputDir: join(tmpdir(), "weft-e2e-results"),
  // Two share two cores, so each may take twice as long as it takes alone.
  workers: 2,
  // On a busy machine one of so many may fail by itself. It is listed as flaky, and is to be fixed.
  retries: 1,
  reporter: "list",
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env["CI"] !== undefined,
  use: {
    viewport: { width: 1280, height: 860 },
    // Colors that are changing have no contrast to check.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
