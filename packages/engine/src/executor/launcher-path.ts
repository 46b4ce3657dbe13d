import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The launcher (native/weft-exec.c), by the name that `uname -m` has for the processor. */
const BUILT = {
  x86_64: new URL("../../native/weft-exec-x86_64", import.meta.url),
  aarch64: new URL("../../native/weft-exec-aarch64", import.meta.url),
} as const;
const MACHINES: Partial<Record<NodeJS.Architecture, keyof typeof BUILT>> = { x64: "x86_64", arm64: "aarch64" };

/** The absolute path of the program that starts jobs; undefined on systems without one, such as macOS. */
export function launcherPath(): string | undefined {
  const machine = process.platform === "linux" ? MACHINES[process.arch] : undefined;
  return machine && fileURLToPath(BUILT[machine]);
}

/**
 * Copies the launchers for other machines that share a folder. Returns their path, to which `-` and the machine's name must
 * be added. Each version has its own name, because another one may be running. Throws if the folder cannot be written.
 */
export function shareLaunchers(folder: string): string {
  const files = Object.entries(BUILT).map(([machine, url]) => ({ machine, path: fileURLToPath(url) }));
  const hash = createHash("sha256");
  for (const { path } of files) hash.update(readFileSync(path));
  const launcher = join(folder, `weft-exec-${hash.digest("hex").slice(0, 12)}`);
  mkdirSync(folder, { recursive: true });
  for (const { machine, path } of files) {
    const copy = `${launcher}-${machine}`;
    if (existsSync(copy)) continue;
    copyFileSync(path, `${copy}.${process.pid}`);
    renameSync(`${copy}.${process.pid}`, copy);
  }
  return launcher;
}
