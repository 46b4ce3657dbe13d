// The browser for the tests: Debian's Chromium where there is one or where it may be installed, else Playwright's own.
import { existsSync } from "node:fs";
import { attempt, run } from "./install.mjs";

const SYSTEM = "/usr/bin/chromium";

export function ensureBrowser(node) {
  if (existsSync(SYSTEM)) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.error("weft: installing Chromium for the tests (apt-get install chromium)");
    if (
      attempt("apt-get", ["update", "-qq"]) &&
      attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], {
        stdio: ["ignore", "ignore", "inherit"],
      })
    )
      return;
  }
  console.error("weft: installing Playwright's Chromium for the tests");
  run(node, ["node_modules/playwright/cli.js", "install", "chromium"]);
}
