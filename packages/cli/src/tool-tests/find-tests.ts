import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { readConformanceTests, type ConformanceTest } from "@weft/language/tool-tests/read-conformance-tests.ts";
import { scanCatalog, TEST_FILE, type CatalogPlace } from "@weft/engine/catalog/scan-catalog.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { UsageError } from "../exit/exit.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";

/** A test that can be run. */
export interface FoundTest {
  /** Name and version of the tested tool: `smooth 1.0.0`. */
  readonly subject: string;
  readonly name: string;
  /** URI of the document, with `#id` if only one of its processes is tested. */
  readonly document: string;
  readonly source:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "conformance"; readonly test: ConformanceTest };
}

/** The tests of a catalog, a folder with a document, a document, one test, or a suite in the format of cwltest. */
export async function findTests(target: string, ids: readonly string[], cwd: string): Promise<readonly FoundTest[]> {
  const found = await testsAt(resolve(cwd, target), cwd);
  const unknown = ids.find((id) => !found.some((test) => isNamed(test, id)));
  if (unknown !== undefined) throw new UsageError(`${target} has no tests of ${unknown}`);
  const selected = ids.length === 0 ? found : found.filter((test) => ids.some((id) => isNamed(test, id)));
  if (selected.length === 0) throw new UsageError(`${target} has no tests; put them into tests/ next to a document`);
  return selected;
}

/** `smooth`, `smooth/1.0.0` or `smooth/1.0.0/one-subject`; for conformance tests, their ID. */
function isNamed({ subject, name }: FoundTest, id: string): boolean {
  const path = [...subject.split(" "), name].join("/");
  return path === id || path.startsWith(`${id}/`) || name === id;
}

async function testsAt(path: string, cwd: string): Promise<readonly FoundTest[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`there is nothing at ${path}`);
  if (!found.isDirectory()) return path.endsWith(".cwl") ? testsOfDocument(path) : testsInFile(path, cwd);
  if (existsSync(join(path, "tools")) || existsSync(join(path, "networks"))) return testsOfCatalog(path);
  const documents = (await readdir(path)).filter((name) => name.endsWith(".cwl"));
  const document = documents.find((name) => name === `${basename(path)}.cwl`) ?? documents[0];
  if (document === undefined) throw new UsageError(`${path} is neither a catalog nor a folder with a document`);
  return testsOfDocument(join(path, document));
}

async function testsOfCatalog(root: string): Promise<readonly FoundTest[]> {
  const places = await scanCatalog(root, () => {});
  return places.flatMap((place) =>
    place.tests.map((file) => ({
      subject: [place.id, place.version].filter((part) => part !== null).join(" "),
      ...fileTest(documentOf(place), join(place.folder, "tests", file)),
    })),
  );
}

/** The document of a folder of the catalog. */
export function documentOf({ folder, documents, id }: CatalogPlace): string {
  return join(folder, documents.find((name) => name === `${id}.cwl`) ?? documents[0] ?? "");
}

async function testsOfDocument(document: string): Promise<readonly FoundTest[]> {
  const folder = join(dirname(document), "tests");
  const names = (await readdir(folder).catch(() => [])).filter((name) => TEST_FILE.test(name)).toSorted();
  return names.map((name) => ({ subject: basename(document, ".cwl"), ...fileTest(document, join(folder, name)) }));
}

function fileTest(document: string, path: string): Omit<FoundTest, "subject"> {
  const name = basename(path).replace(TEST_FILE, "");
  return { name, document: pathToUri(document), source: { kind: "file", path } };
}

/** The tests in a file: one test, or a suite, which is a list of tests. */
async function testsInFile(path: string, cwd: string): Promise<readonly FoundTest[]> {
  if (/^\s*(?:#.*\n\s*)*[[-]/.test(await readFile(path, "utf8"))) return conformanceTests(path, cwd);
  const tests = basename(dirname(path)) === "tests" ? await testsAt(dirname(dirname(path)), cwd) : [];
  const one = tests.filter(({ source }) => source.kind === "file" && source.path === path);
  if (one.length === 0) throw new UsageError(`${path} is not in a folder tests/ next to a document`);
  return one;
}

async function conformanceTests(path: string, cwd: string): Promise<readonly FoundTest[]> {
  const { tests, diagnostics, sources } = await readConformanceTests(pathToUri(path), { reader: diskReader });
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new UsageError(diagnosticText(error, sources, cwd));
  return tests.map((test) => ({
    subject: basename(path),
    name: test.id,
    document: test.tool,
    source: { kind: "conformance", test },
  }));
}
