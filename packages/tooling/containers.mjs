// podman for the tests in continuous integration, where root may install it. Elsewhere nothing is installed: the tests
// that need it say that they are skipped, and why.
import { existsSync } from "node:fs";
import { attempt } from "./install.mjs";

const PACKAGES = ["podman", "runc", "iptables", "catatonit", "busybox-static"];
const PATIENCE_MS = 45_000;

export function ensureContainers() {
  const mayInstall = process.env.CI === "true" && process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (!mayInstall || existsSync("/usr/bin/podman")) return;
  console.error(`weft: installing podman for the tests (apt-get install ${PACKAGES.join(" ")})`);
  const quiet = { stdio: ["ignore", "ignore", "inherit"], timeout: PATIENCE_MS };
  const installed =
    attempt("apt-get", ["update", "-qq"], quiet) &&
    attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES], quiet);
  if (!installed) console.error("weft: podman could not be installed; the tests that need it are skipped");
}
