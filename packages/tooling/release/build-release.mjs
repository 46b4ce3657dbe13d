// Builds a release into a folder: npm package, executable, Debian package, container image (with --image), VS Code extension
// (with --extension), Python and TypeScript clients, component list, release notes and checksums. Prints a table of them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../install.mjs";
import { assemble } from "./assemble.mjs";
import { buildDebianPackage } from "./debian-package.mjs";
import { buildExecutable } from "./executable.mjs";
import { buildExtension } from "./extension.mjs";
import { buildImage } from "./image.mjs";
import { buildWheel } from "./python-client.mjs";
import { releaseNotes } from "./release-notes.mjs";
import { writeComponents } from "./sbom.mjs";
import { buildTypescriptClient } from "./typescript-client.mjs";

const OPTIONS = {
  out: { type: "string", default: join(ROOT, "release") },
  /** Whether to build the container image, too. */
  image: { type: "boolean", default: false },
  /** Whether to build the extension for VS Code, too. */
  extension: { type: "boolean", default: false },
};
const MAX_NPM_BYTES = 6 * 1024 ** 2;

export async function buildRelease(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const out = resolve(values.out);
  const work = join(out, "work");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const tree = join(work, "weft-workflows");
  const { name, version } = await assemble(tree);
  const release = { out, work, tree, name, version, epochS: commitTime() };
  buildNpmPackage(release);
  buildExecutable(release);
  buildDebianPackage(release);
  await buildWheel(release);
  buildTypescriptClient(release);
  if (values.image) buildImage(release);
  if (values.extension) await buildExtension(release);
  writeComponents(release);
  writeFileSync(join(out, "RELEASE-NOTES.md"), releaseNotes());
  rmSync(work, { recursive: true });
  printTable(out);
}

/** npm gives every file the same time and sorts the files, so the archive depends only on their content. */
function buildNpmPackage({ out, tree, name, version }) {
  const made = spawnSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", out], { cwd: tree });
  if (made.status !== 0) throw new Error(`npm pack failed: ${made.stderr}`);
  const { size } = statSync(join(out, `${name}-${version}.tgz`));
  if (size > MAX_NPM_BYTES) throw new Error(`the npm package has ${size} bytes; the limit is ${MAX_NPM_BYTES}`);
}

/** Seconds since 1970; the time of every file in a package. */
function commitTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text = given ?? spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" }).stdout;
  const seconds = Number(text);
  if (!Number.isSafeInteger(seconds) || seconds <= 0)
    throw new Error("not a git clone: set SOURCE_DATE_EPOCH to the time of the release, in seconds since 1970");
  return seconds;
}

function printTable(out) {
  const files = readdirSync(out).sort();
  const sums = files.map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(join(out, file)))
        .digest("hex")}  ${file}`,
  );
  writeFileSync(join(out, "SHA256SUMS"), `${sums.join("\n")}\n`);
  for (const file of files) console.log(`${(statSync(join(out, file)).size / 1e6).toFixed(1).padStart(8)} MB  ${file}`);
}
