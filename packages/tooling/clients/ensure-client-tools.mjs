import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installLocked } from "../install.mjs";

export const CLIENT_TOOLS = fileURLToPath(new URL(".", import.meta.url));
const STAMP = join(CLIENT_TOOLS, "node_modules", ".weft-installed");

/** Installs the packages in the lock file of this folder: a linter and a generator, which need an older TypeScript than Weft. */
export function ensureClientTools() {
  const lockHash = createHash("sha256")
    .update(readFileSync(join(CLIENT_TOOLS, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockHash) return;
  installLocked("installing the tools that check /swagger.json (60 MB)", CLIENT_TOOLS);
  writeFileSync(STAMP, lockHash);
}
