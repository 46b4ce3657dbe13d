// The browser for tests and screenshots: Debian's Chromium, else Playwright's own. The headless shell comes first, because the
// whole browser takes half as much processor time again for windows that nobody sees.
import { existsSync } from "node:fs";
import { pinnedNode } from "../build.mjs";
import { prepare } from "../install.mjs";

const WHOLE = "/usr/bin/chromium";
const SYSTEM_BROWSERS = ["/usr/bin/chromium-headless-shell", WHOLE];

/** Options of Playwright's `launch`. */
export const LAUNCH_OPTIONS = {
  executablePath: SYSTEM_BROWSERS.find((path) => existsSync(path)),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** With the viewer of PDFs, which the shell lacks. */
export const WHOLE_BROWSER = {
  ...LAUNCH_OPTIONS,
  ...(existsSync(WHOLE) ? { executablePath: WHOLE } : { channel: "chromium" }),
};

/** Undefined where a browser can be started, else why not. */
export function ensureBrowser() {
  if (LAUNCH_OPTIONS.executablePath !== undefined) return undefined;
  const install = ["node_modules/playwright/cli.js", "install", "chromium"];
  const isInstalled = prepare("installing Playwright's Chromium for the tests", pinnedNode(), install);
  return isInstalled ? undefined : "needs Chromium (apt-get install chromium)";
}
