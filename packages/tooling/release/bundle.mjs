// Bundles the command line, the server, its threads and the packages that they use into one flat folder of JavaScript.
// There, code finds neighboring files by `import.meta.url`, whichever chunk contains it.
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../install.mjs";

const PACKAGES = join(ROOT, "packages");
/** The programs of packages/cli/package.json, and the modules that start them. */
export const PROGRAMS = {
  weft: join(PACKAGES, "cli/src/main.ts"),
  "cwl-runner": join(PACKAGES, "cli/src/cwl-runner/main.ts"),
};
/** Optional packages that `ws` and `chokidar` try to load. */
const ABSENT = ["bufferutil", "utf-8-validate", "fsevents"];
/** Has the effect of `--disable-proto=delete`, and defines the variable with which CommonJS packages find their files. */
const BANNER = "delete Object.prototype.__proto__; const __dirname = import.meta.dirname;";
/** Maps each module that locates files in the sources to the one that locates them in a package. */
const PLACES = new Map(
  ["cli/src/settings/shipped-files.ts", "api/src/documentation/swagger-distribution.ts"].map((path) => [
    join(PACKAGES, path),
    join(import.meta.dirname, "places", basename(path)),
  ]),
);
/** Files that a CommonJS package looks for next to itself. */
const FILES_OF_PACKAGES = ["koa2-swagger-ui/dist/index.hbs", "koa2-swagger-ui/dist/favicon.png"];
const FILE_REFERENCE = /new URL\(\s*"([^"]+)",\s*import\.meta\.url\s*\)/g;

export async function bundle(folder) {
  mkdirSync(folder, { recursive: true });
  const files = new Set(FILES_OF_PACKAGES.map((path) => join(ROOT, "node_modules", path)));
  // The license of the C library in the launcher requires the source.
  files.add(join(PACKAGES, "engine/native/weft-exec.c"));
  const build = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: "node",
    external: ABSENT,
    checks: { eval: false }, // depd of Koa, which Weft cannot change
    onLog: (level, log) => {
      // A warning means that the bundle would be incomplete.
      if (level === "warn") throw new Error(log.message);
    },
    plugins: [usePackagedPlaces(), keepFilesNearby(files)],
  });
  await build.write({ dir: folder, format: "esm", banner: BANNER, entryFileNames: "[name].js", minify: "dce-only" });
  await build.close();
  for (const file of files) copyFileSync(file, join(folder, basename(file)));
}

function usePackagedPlaces() {
  return {
    name: "use-packaged-places",
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return PLACES.get(found?.id) ?? found;
    },
  };
}

/** `new URL("../files/x", import.meta.url)` becomes `new URL("./x", …)`. TypeScript files belong to threads and are bundled. */
function keepFilesNearby(files) {
  return {
    name: "keep-files-nearby",
    transform(code, id) {
      if (!code.includes("import.meta.url")) return undefined;
      return code.replaceAll(FILE_REFERENCE, (_, path) => {
        const file = join(dirname(id), path);
        const isThread = file.endsWith(".ts");
        const name = isThread ? basename(file, ".ts") + ".js" : basename(file);
        if (isThread) this.emitFile({ type: "chunk", id: file, fileName: name });
        else files.add(file);
        return `new URL("./${name}", import.meta.url)`;
      });
    },
  };
}
