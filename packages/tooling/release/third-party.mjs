// Lists the third-party parts of Weft: the production dependencies in package-lock.json, and their licenses.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\b|[-._])/i;

/** The C library, to which the launcher is statically linked. */
const LIBC = `The GNU C Library
License: LGPL-2.1-or-later

The programs weft-exec-x86_64 and weft-exec-aarch64 contain parts of the GNU C Library 2.36 of Debian 12. Their source,
weft-exec.c, is next to them under the license of Weft: with the source of the library (apt-get source glibc), anyone can
link them again to a changed library, with the compiler options that it names.

${readFileSync(join(ROOT, "packages/engine/native/lgpl-2.1.txt"), "utf8").trim()}`;

/** The text of each package's license. Throws for a package without one. */
export function thirdPartyNotices() {
  const parts = productionPackages().map(({ name, version, license, folder }) => {
    const texts = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
    if (license === undefined && texts.length === 0) throw new Error(`${name} ${version} has no license`);
    return [`${name} ${version}`, `License: ${license ?? "see below"}`, "", ...texts].join("\n");
  });
  return `Weft contains these packages or parts of them.\n\n${[...parts, LIBC].join(`\n\n${"-".repeat(78)}\n\n`)}\n`;
}

/** Packages that run in the server, the command line or the browser, in the order of their paths. */
export function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(
      ([path, { dev, link, devOptional, optional }]) =>
        path.includes("node_modules/") && !dev && !link && !devOptional && !optional,
    )
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version,
      license,
      folder: join(ROOT, path),
    }))
    .filter(({ folder }) => existsSync(folder));
}
