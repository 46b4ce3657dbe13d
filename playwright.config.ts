import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const SYSTEM_CHROMIUM = "/usr/bin/chromium";

/** Every run of the tests has a server of its own with an empty state folder; its port comes from the line that it prints. */
export default defineConfig({
  testDir: "packages/web/e2e",
  outputDir: join(tmpdir(), "weft-e2e-results"),
  workers: 1,
  retries: 0,
  reporter: "list",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env["CI"] !== undefined,
  use: {
    viewport: { width: 1280, height: 860 },
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
  webServer: {
    command: `node packages/cli/bin/weft.cjs serve --port 0 --state ${stateFolder()}`,
    wait: { stdout: /Weft listening on (?<weft_e2e_url>http:\/\/\S+)/ },
    timeout: 30_000,
    stdout: "ignore",
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
});

/** Workers read this file again: they must not make another folder. */
function stateFolder(): string {
  process.env["WEFT_E2E_STATE"] ??= mkdtempSync(join(tmpdir(), "weft-e2e-state-"));
  return process.env["WEFT_E2E_STATE"];
}
