// Provides the browser for tests and screenshots: Debian's Chromium, else Playwright's own (launch-options.ts).
import { existsSync } from "node:fs";
import { pinnedNode } from "../build.mjs";
import { prepare } from "../install.mjs";

const SYSTEM_BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Why no browser can be started; undefined if one can. */
export function ensureBrowser() {
  if (SYSTEM_BROWSERS.some((path) => existsSync(path))) return undefined;
  const install = ["node_modules/playwright/cli.js", "install", "chromium"];
  const isInstalled = prepare("installing Playwright's Chromium for the tests", pinnedNode(), install);
  return isInstalled ? undefined : "needs Chromium (apt-get install chromium)";
}
