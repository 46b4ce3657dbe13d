import { accessSync, constants, existsSync } from "node:fs";
import { hostname } from "node:os";
import { delimiter, join } from "node:path";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";
import type { Machine } from "./machine.ts";

const BROWSERS = ["firefox", "google-chrome", "chromium", "chromium-browser", "microsoft-edge", "epiphany", "safari"];

type BrowserOptions = Pick<Machine, "webRoot" | "env" | "isServer" | "port">;

/** Whether pages can be shown, and where to open them. */
export function checkBrowser({ webRoot, env, isServer, port }: BrowserOptions): Finding {
  if (!existsSync(join(webRoot, "index.html"))) return warning("the web application is not built", "npm run build");
  // A person who reads the report on the server page has a browser.
  if (isServer || process.platform === "darwin") return ok("the web application is built");
  const found = BROWSERS.find((name) => isProgram(name, env["PATH"] ?? ""));
  const hasDisplay = env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
  if (found !== undefined && hasDisplay) return ok(`${found} is installed`);
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${hostname()}`;
  const lack = found === undefined ? "no browser is installed" : `${found} is installed, but there is no display`;
  return warning(`${lack}; run this on your own machine, then open http://127.0.0.1:${port}`, tunnel);
}

function isProgram(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
