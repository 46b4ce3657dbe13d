// The browser for tests and screenshots: Debian's Chromium, else Playwright's own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";

export const SYSTEM_CHROMIUM = "/usr/bin/chromium";

/** Undefined where a browser can be started, else why not. */
export function ensureBrowser() {
  if (existsSync(SYSTEM_CHROMIUM)) return undefined;
  console.error("weft: installing Playwright's Chromium for the tests");
  const { status } = spawnSync(pinnedNode(), ["node_modules/playwright/cli.js", "install", "chromium"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return status === 0 ? undefined : "needs Chromium (apt-get install chromium)";
}
