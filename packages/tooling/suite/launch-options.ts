import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const SHELL = "/usr/bin/chromium-headless-shell";
const WHOLE = "/usr/bin/chromium";
const ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

/**
 * Debian's headless shell, otherwise Debian's whole browser, otherwise Playwright's shell. The whole browser takes about 50 %
 * more processor time, for windows that nobody sees.
 */
export const LAUNCH_OPTIONS = optionsOf([SHELL, WHOLE]);

/** The browser with a viewer for PDFs, which the shell lacks. */
export const WHOLE_BROWSER: LaunchOptions = { channel: "chromium", ...optionsOf([WHOLE]) };

function optionsOf(paths: readonly string[]): LaunchOptions {
  const executablePath = paths.find((path) => existsSync(path));
  const args = [...ARGS, "--disable-component-update", "--disable-sync"];
  return executablePath === undefined ? { args } : { executablePath, args };
}
