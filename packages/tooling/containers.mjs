// podman and bubblewrap for the tests in continuous integration, where root may install them. Elsewhere nothing is installed:
// the tests that need them say that they are skipped, and why.
import { existsSync } from "node:fs";
import { attempt } from "./install.mjs";

const PACKAGES = ["podman", "runc", "iptables", "catatonit", "busybox-static", "bubblewrap"];
const PROGRAMS = ["/usr/bin/podman", "/usr/bin/bwrap"];
const PATIENCE_MS = 45_000;

export function ensureContainers() {
  const mayInstall = process.env.CI === "true" && process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (!mayInstall || PROGRAMS.every((path) => existsSync(path))) return;
  console.error(`weft: installing podman and bubblewrap for the tests (apt-get install ${PACKAGES.join(" ")})`);
  const quiet = { stdio: ["ignore", "ignore", "inherit"], timeout: PATIENCE_MS };
  const installed =
    attempt("apt-get", ["update", "-qq"], quiet) &&
    attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES], quiet);
  if (!installed)
    console.error("weft: podman and bubblewrap could not be installed; the tests that need them are skipped");
}
