// Assembles the files of Weft as every kind of package contains them: `bin` starts the bundle in `lib`; the server serves
// `catalog`, `web` and `swagger-ui`; the rest is for people.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureBuilt } from "../build.mjs";
import { ROOT } from "../install.mjs";
import { bundle, PROGRAMS } from "./bundle.mjs";
import { thirdPartyNotices } from "./third-party.mjs";

/** Parts of the catalog that only its tests use, and decisions that only developers may need. */
const NOT_SHIPPED = new Set([
  ...["test", "package.json", "tsconfig.json"].map((name) => join(ROOT, "packages/catalog", name)),
  join(ROOT, "docs/adr/archive"),
  // The application shows the pages with their pictures.
  join(ROOT, "docs/images"),
]);
/**
 * Young objects get half of the space that Node gives them: a server needs a fifth less memory, and takes no longer. One thread
 * of V8's instead of four is as fast. Without the last flag, a signal would open a debugger in a server.
 */
export const NODE_FLAGS = "--max-semi-space-size=8 --v8-pool-size=1 --disable-sigusr1";

const SWAGGER_FILES = [
  "swagger-ui-bundle.js",
  "swagger-ui-standalone-preset.js",
  "swagger-ui.css",
  "favicon-16x16.png",
  "favicon-32x32.png",
];

/** Fills an empty folder; returns the manifest that it wrote. */
export async function assemble(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "bin"), { recursive: true });
  ensureBuilt();
  await bundle(join(folder, "lib"));
  copy("packages/catalog", join(folder, "catalog"));
  copy("packages/web/dist", join(folder, "web"), (path) => basename(path) !== ".built-from");
  for (const name of SWAGGER_FILES) copy(`node_modules/swagger-ui-dist/${name}`, join(folder, "swagger-ui", name));
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md", "docs"]) copy(name, join(folder, name));
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices());
  for (const program of Object.keys(PROGRAMS))
    writeFileSync(join(folder, "bin", `${program}.js`), programText(program), { mode: 0o755 });
  const manifest = manifestOf();
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

function copy(path, target, filter = (source) => !NOT_SHIPPED.has(source)) {
  cpSync(join(ROOT, path), target, { recursive: true, filter });
}

function manifestOf() {
  const { version } = JSON.parse(readFileSync(join(ROOT, "packages/cli/package.json"), "utf8"));
  const { description, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return {
    name: "weft-workflows",
    version,
    description,
    license,
    keywords: ["cwl", "workflow", "ga4gh", "ro-crate", "provenance"],
    type: "module",
    bin: Object.fromEntries(Object.keys(PROGRAMS).map((program) => [program, `bin/${program}.js`])),
    engines: { node: ">=24" },
    os: ["linux", "darwin"],
  };
}

/** The program must also run on an old Node, to report that it is too old. */
function programText(program) {
  return `#!/usr/bin/env node
import module from "node:module";

if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write("${program}: this Node is " + process.version + ", but Weft needs 24 or newer.\\n");
  process.exit(70);
}
// The user's own folder: others could put their code into a shared one.
const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, ".cache"));
if (caches) module.enableCompileCache(join(caches, "weft", "compiled"));
await import("../lib/${program}.js");
`;
}
