import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installLocked } from "../../tooling/install.mjs";

const SITE = fileURLToPath(new URL(".", import.meta.url));
const STAMP = join(SITE, "node_modules", ".weft-installed");

/** Installs the packages in this folder's lock file, which only builders of the site need. */
export function ensureGenerator() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(SITE, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  installLocked("installing the generator of the documentation site (23 MB)", SITE);
  writeFileSync(STAMP, wanted);
}
