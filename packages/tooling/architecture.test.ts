import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { DISK_USERS } from "./disk-users.ts";
import {
  folderOf,
  importsWithin,
  LAYERS,
  layerViolations,
  SEPARATE_FEATURES,
  sourcesOf,
  type Sources,
} from "./layers.ts";

/** Allowed imports between packages. This table is the architecture; ARCHITECTURE.md quotes it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  cwl: [],
  language: ["cwl"],
  engine: ["language", "cwl", "shared"],
  api: ["engine", "shared"],
  cli: ["api", "engine", "language", "cwl", "shared"],
  web: ["shared"],
  catalog: [],
  tooling: [],
};

/** The web app's only folder that imports the language: it runs in a worker, which pages load on demand. */
const LANGUAGE_WORKER = "web/src/features/workbench/language/";

/** The only part of `shared` that `cwl` and `language` use: JSON with all digits of whole numbers (ADR 101). */
const EXACT_JSON = "@weft/shared/json/exact-json.ts";

/** Tells tests of every package what this machine lacks. */
const NEEDS_OF_TESTS = "@weft/tooling/lacks.ts";

/** Chooses the browser of the component tests. */
const COMPONENT_TESTS = "web/vitest.config.ts";

/** Runs when the pages of the documentation are built, and shows what the API describes. */
const API_PAGE = "web/docs/api-page.ts";

/** Folders without side effects: no `node:*` import. Tests next to the sources may use the disk. */
const PURE = ["cwl/src", "language/src", "shared/src", "web/src/format"];

/** The only sources that may act as the server itself, or create a caller who may change every run. */
const MAY_SEE_ALL = new Set([
  "engine/src/access/visible-runs.ts", // defines SYSTEM_CALLER
  "api/src/create-server.ts", // reads the version that the API documents contain
  "api/src/auth/caller-of.ts", // admins
  "cli/src/commands/reproduce-command.ts", // creates its own engine, for the user who runs the command
]);

/** Methods of the engine without a caller parameter: the server itself calls them, not for a request. */
const WITHOUT_CALLER = new Set(["stop", "subscribe"]);

interface Import {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
}

/** Every violation of the tables among these files (path below packages/ → text). */
export function violations(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) => importsOf(path, text).flatMap(violationOf));
}

function importsOf(path: string, text: string): Import[] {
  const pattern =
    /^\s*(?:import|export)\b[^;"']*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']|new URL\(\s*["'](\.[^"']+\.ts)["']/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    from: path,
    line: text.slice(0, match.index).split("\n").length,
    specifier: match[1] ?? match[2] ?? match[3] ?? "",
  }));
}

function violationOf(found: Import): string[] {
  const place = `${found.from}:${found.line} imports ${found.specifier}`;
  const owner = found.from.split("/")[0] ?? "";
  const target = packageOf(found);
  const isAllowed = (MAY_IMPORT[owner] ?? []).includes(target ?? "") || isException(found, target);
  if (target !== undefined && target !== owner && !isAllowed) return [`${place}: ${owner} may not import ${target}`];
  if (target !== undefined && target !== owner && found.specifier.startsWith("."))
    return [`${place}: packages are imported by name`];
  const isTest = /\.test\.ts$|\/testing\//.test(found.from);
  if (!isTest && found.specifier.startsWith("node:") && PURE.some((folder) => found.from.startsWith(`${folder}/`)))
    return [`${place}: the folder is pure`];
  return isTest ? [] : featureViolation(found, place);
}

function isException({ from, specifier }: Import, target: string | undefined): boolean {
  if (specifier === NEEDS_OF_TESTS) return from.endsWith(".test.ts");
  if (from === COMPONENT_TESTS) return target === "tooling";
  if (/^(cwl|language)\//.test(from)) return specifier === EXACT_JSON;
  if (from.startsWith(LANGUAGE_WORKER)) return target === "cwl" || target === "language";
  return target === "api" && from === API_PAGE;
}

/** Sources that see all runs and are not in the table. */
export function unlistedSystemCallers(files: ReadonlyMap<string, string>): string[] {
  const seesAll = ([path, text]: readonly [string, string]) =>
    !/\.test\.ts$|\/testing\/|^\w+\/test\//.test(path) &&
    /\bSYSTEM_CALLER\b|othersRuns: [^;\n]*"changeable"/.test(text);
  const found = [...files].filter(seesAll).map(([path]) => path);
  return found.filter((path) => !MAY_SEE_ALL.has(path) && path !== "engine/src/port/caller.ts");
}

/** Methods of the interfaces of the engine's port that do not take the caller first. */
export function methodsWithoutCaller(port: string): string[] {
  const interfaces = [...port.matchAll(/export interface Engine\w* \{\n(.*?)\n\}/gs)].map(([, body = ""]) => body);
  const methods = interfaces.flatMap((body) => [...body.matchAll(/^ {2}(\w+)\(\s*([^)]*)/gm)]);
  return methods.flatMap(([, name = "", parameters = ""]) =>
    WITHOUT_CALLER.has(name) || parameters.startsWith("caller: Caller") ? [] : [name],
  );
}

function packageOf(found: Import): string | undefined {
  const named = /^@weft\/([^/]+)/.exec(found.specifier)?.[1];
  if (named !== undefined) return named;
  if (!found.specifier.startsWith(".")) return undefined;
  return resolve("/", dirname(found.from), found.specifier).split("/")[1];
}

/** Features of the web application never import each other. */
function featureViolation(found: Import, place: string): string[] {
  if (!found.from.startsWith("web/src/features/") || !found.specifier.startsWith(".")) return [];
  const [, , , name] = found.from.split("/");
  const [, , , layer, target] = resolve("/", dirname(found.from), found.specifier).split("/");
  return layer === "features" && target !== name ? [`${place}: features never import features`] : [];
}

/** Pages show the controls of the kit in `web/src/ui`, which all look and behave alike. */
function rawControls(files: ReadonlyMap<string, string>): string[] {
  const isPage = (path: string) => path.startsWith("web/src/") && !path.startsWith("web/src/ui/");
  const pages = [...files].filter(([path]) => isPage(path) && path.endsWith(".tsx") && !path.endsWith(".test.tsx"));
  return pages.flatMap(([path, text]) =>
    [...text.matchAll(/<(button|input|select|textarea)\b|\btext-\[[\d.]+rem/g)].map(
      ({ 0: found, index }) => `${path}:${text.slice(0, index).split("\n").length}: ${found}`,
    ),
  );
}

function sourceFiles(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(node_modules|dist|e2e)\//.test(path) && !path.includes("/tooling/"));
  return new Map(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

/** The first cycle among modules of one package, as a chain of paths. */
export function findCycle(files: ReadonlyMap<string, string>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of localImports(path, files)) {
      const cycle = visit(next, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of files.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Imports of values; a type-only import makes no cycle at run time. */
function localImports(path: string, files: ReadonlyMap<string, string>): string[] {
  const pattern = /^\s*(?:import|export)\s+(?!type\b)[^;"']*?["'](\.[^"']+)["']/gm;
  return [...(files.get(path) ?? "").matchAll(pattern)]
    .map((match) => resolve("/", dirname(path), match[1] ?? "").slice(1))
    .filter((target) => files.has(target));
}

/** Sources that import the file system without being listed. Types make no system calls; tests may use the disk. */
function unlistedDiskUsers(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) => (isProduction(path) && usesDisk(text) && !isListed(path) ? [path] : []));
}

/** Entries of the list that are no longer needed. */
function idleDiskUsers(files: ReadonlyMap<string, string>): string[] {
  const users = [...files].filter(([, text]) => usesDisk(text)).map(([path]) => path);
  return Object.keys(DISK_USERS).filter((entry) => !users.some((path) => isCovered(path, entry)));
}

function isProduction(path: string): boolean {
  return /^[^/]+\/src\//.test(path) && !/\.test\.tsx?$|\/testing\//.test(path);
}

function isListed(path: string): boolean {
  return Object.keys(DISK_USERS).some((entry) => isCovered(path, entry));
}

function isCovered(path: string, entry: string): boolean {
  return entry.endsWith("/") ? path.startsWith(entry) : path === entry;
}

/** Static imports of values, re-exports, `import()`, `require` and `getBuiltinModule`, with and without `node:`. */
function usesDisk(text: string): boolean {
  const module = `["'](?:node:)?fs(?:/promises)?["']`;
  const statics = new RegExp(`^\\s*(?:import|export)\\s+(?!type\\b)[^;"']*?${module}`, "m");
  return statics.test(text) || new RegExp(`(?:\\bimport|\\brequire|getBuiltinModule)\\(\\s*${module}`).test(text);
}

/** Sources of the log that import a feature, or name a table that a feature creates. */
function featuresInLog(sources: Sources): string[] {
  const features = new Set(LAYERS["engine"]?.["features"]);
  const own = [...sources].filter(([path]) => features.has(folderOf(path)));
  const tables = own.flatMap(([, text]) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = ""]) => name));
  const names = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:${tables.join("|")})\\b`);
  const importing = importsWithin(sources).filter(({ to }) => features.has(folderOf(to)));
  return [...sources]
    .filter(
      ([path, text]) =>
        folderOf(path) === "journal" && (names.test(text) || importing.some(({ from }) => from === path)),
    )
    .map(([path]) => path);
}

const packages = fileURLToPath(new URL("../", import.meta.url));

describe("architecture", () => {
  const files = sourceFiles(packages);

  it("finds the sources", () => assert.ok(files.size > 100, `only ${files.size} files found`));
  it("is kept by every import", () => assert.deepEqual(violations(files), []));
  it("lets only the listed sources see all runs", () => assert.deepEqual(unlistedSystemCallers(files), []));
  it("passes the caller to every method of the engine", () => {
    const port = files.get("engine/src/port/engine.ts") ?? "";
    assert.match(port, /status\(caller: Caller/);
    assert.deepEqual(methodsWithoutCaller(port), []);
  });
  it("lets pages use only the kit's controls and text sizes", () => assert.deepEqual(rawControls(files), []));
  it("opens files in the listed sources only", () => assert.deepEqual(unlistedDiskUsers(files), []));
  it("lists only sources that open files", () => assert.deepEqual(idleDiskUsers(files), []));
  for (const name of Object.keys(LAYERS))
    it(`keeps the layers of ${name}`, () => assert.deepEqual(layerViolations(name, sourcesOf(name, files)), []));
  it("registers the features that a folder and a line make up, and imports them nowhere else", () => {
    const within = importsWithin(sourcesOf("engine", files));
    for (const feature of Object.keys(SEPARATE_FEATURES)) {
      const entering = within.filter(({ from, to }) => folderOf(to) === feature && folderOf(from) !== feature);
      const elsewhere = entering.filter(({ from }) => from !== "app/features.ts");
      assert.deepEqual(elsewhere, [], feature);
    }
  });
  it("keeps the log free of features and their tables", () => {
    assert.deepEqual(featuresInLog(sourcesOf("engine", files)), []);
    const planted = new Map([
      ["reviews/reviews-table.ts", "`CREATE TABLE reviews (run_id TEXT)`"],
      ["journal/log-reader.ts", 'import { readReviews } from "../reviews/reviews-table.ts";'],
      ["journal/read-runs.ts", '"SELECT * FROM runs JOIN reviews USING (run_id)"'],
      ["journal/rows.ts", 'import type { Row } from "./statements.ts"; // of runs, not of reviews'],
    ]);
    assert.deepEqual(featuresInLog(planted), ["journal/log-reader.ts", "journal/read-runs.ts"]);
  });
  it("has at most nine layers in each package", () => {
    for (const [name, layers] of Object.entries(LAYERS)) assert.ok(Object.keys(layers).length <= 9, name);
  });
  it("catches imports that break the layers, including type imports, and folders without a layer", () => {
    const planted = new Map([
      ["engine/src/jobs/start-job.ts", 'import type { RunActor } from "../runs/drive/run-actor.ts";'],
      ["engine/src/runs/drive/run-actor.ts", 'import { startJob } from "../../jobs/start-job.ts";'],
      ["engine/src/runs/run-service.ts", 'import { runDocument } from "../document/run-document.ts";'],
      ["engine/src/document/run-document.ts", ""],
      ["engine/src/helpers/text.ts", ""],
    ]);
    const found = layerViolations("engine", sourcesOf("engine", planted));
    const expected = [/helpers has no layer/, /jobs may not import runs/, /runs may not import document/];
    assert.equal(found.length, expected.length, found.join("\n"));
    for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? "", pattern);
  });
  it("has no import cycle", () => assert.equal(findCycle(files), undefined));

  const planted: [string, string, RegExp][] = [
    ["cwl/src/a.ts", 'import { x } from "@weft/engine/b.ts";', /cwl may not import engine/],
    ["cwl/src/a.ts", 'import { x } from "@weft/shared/limits.ts";', /cwl may not import shared/],
    ["cwl/src/a.ts", 'import type { x } from "@weft/language/b.ts";', /cwl may not import language/],
    ["cwl/src/a.ts", 'import { readFile } from "node:fs";', /pure/],
    ["language/src/a.ts", 'import { x } from "@weft/shared/limits.ts";', /language may not import shared/],
    ["language/src/edit/a.ts", 'import { readFile } from "node:fs";', /pure/],
    ["web/src/api/a.ts", 'import type { x } from "@weft/cwl/b.ts";', /web may not import cwl/],
    ["web/src/api/a.ts", 'import type { x } from "@weft/language/b.ts";', /web may not import language/],
    ["api/src/a.ts", 'import { x } from "../../engine/src/b.ts";', /imported by name/],
    ["engine/src/a.ts", 'const y = await import("@weft/api/b.ts");', /engine may not import api/],
    ["web/src/features/run/a.tsx", 'import {\n  x,\n} from "../graph/b.tsx";', /features never import features/],
  ];
  for (const [path, text, expected] of planted) {
    it(`catches ${text.replaceAll("\n", " ")} in ${path}`, () => {
      const [found = ""] = violations(new Map([[path, text]]));
      assert.match(found, expected);
    });
  }

  it("catches controls and text sizes that are not from the kit", () => {
    const planted: [string, string][] = [
      ["web/src/routes/a.tsx", '<p>\n<button type="button">x</button>'],
      ["web/src/components/b.tsx", "<select>{options}</select>"],
      ["web/src/features/run/c.tsx", '<Input className="text-[0.8rem]" /> '],
      ["web/src/ui/button.tsx", "<button {...props} />"],
      ["web/src/features/run/c.page.test.tsx", "<button>x</button>"],
    ];
    assert.deepEqual(rawControls(new Map(planted)), [
      "web/src/routes/a.tsx:2: <button",
      "web/src/components/b.tsx:1: <select",
      "web/src/features/run/c.tsx:1: text-[0.8rem",
    ]);
  });

  it("catches a source that acts as the server without being listed", () => {
    const planted: [string, string][] = [
      ["api/src/handlers/a.ts", "engine.runs.get(SYSTEM_CALLER, id);"],
      ["api/src/b.ts", 'const caller = { principal, links, othersRuns: "changeable" };'],
      ["api/test/c.ts", "engine.runs.get(SYSTEM_CALLER, id);"],
    ];
    assert.deepEqual(unlistedSystemCallers(new Map(planted)), ["api/src/handlers/a.ts", "api/src/b.ts"]);
  });

  const opensFiles = [
    'import { open } from "node:fs/promises";',
    'import * as fs from "node:fs";',
    'import fs, { type Stats } from "fs";',
    'import {\n  open,\n} from "node:fs";',
    'import "node:fs";',
    'export { open } from "node:fs";',
    'const { open } = await import("node:fs");',
    'const fs = require("fs");',
    'const fs = process.getBuiltinModule("node:fs");',
  ];
  for (const text of opensFiles)
    it(`catches ${text.replaceAll("\n", " ")} in a source that is not listed`, () => {
      const path = "engine/src/files/serve.ts";
      assert.deepEqual(unlistedDiskUsers(new Map([[path, text]])), [path]);
    });

  it("accepts types, tests and listed sources", () => {
    const open = 'import { open } from "node:fs";';
    const sources: [string, string][] = [
      ["engine/src/files/a.ts", 'import type { Stats } from "node:fs";'],
      ["engine/src/files/a.test.ts", open],
      ["engine/src/testing/a.ts", open],
      ["engine/src/files/beneath/a.ts", open],
      ["cli/src/a.ts", open],
    ];
    assert.deepEqual(unlistedDiskUsers(new Map(sources)), []);
  });

  it("catches a method of the engine that takes no caller, or an optional one", () => {
    const port = `export interface EngineRuns {
  get(caller: Caller, runId: string): Run;
  status(
    runId: string,
  ): RunStatus;
  jobLog(caller?: Caller): Promise<void>;
}`;
    assert.deepEqual(methodsWithoutCaller(port), ["status", "jobLog"]);
  });

  it("catches a cycle", () => {
    const cyclic = new Map([
      ["cwl/src/a.ts", 'import { b } from "./b.ts";'],
      ["cwl/src/b.ts", 'import { c } from "./c.ts";'],
      ["cwl/src/c.ts", 'import { a } from "./a.ts";'],
    ]);
    assert.deepEqual(findCycle(cyclic), ["cwl/src/a.ts", "cwl/src/b.ts", "cwl/src/c.ts", "cwl/src/a.ts"]);
  });
});
