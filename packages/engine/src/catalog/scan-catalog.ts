import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PIN_FILE } from "./read-pin.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";

/** A folder of the catalog that publishes one version of a process. */
export interface CatalogPlace {
  readonly kind: "tool" | "network";
  readonly id: string;
  /** The version; null for a network without versions. */
  readonly version: string | null;
  /** Absolute path. */
  readonly folder: string;
  /** Sorted names of its `.cwl` files; a valid folder has exactly one. */
  readonly documents: readonly string[];
  /** Sorted names of the input objects in `examples/`. */
  readonly examples: readonly string[];
  /** Sorted names of the tests in `tests/`. */
  readonly tests: readonly string[];
  /** A file named `DEPRECATED` next to the document marks the version as deprecated. */
  readonly deprecated: boolean;
  /** Whether the folder contains the checksums of its files. */
  readonly isPinned: boolean;
}

const ID = /^[a-z0-9][a-z0-9._-]{0,127}$/;
/** The name of a test, without its folder. */
export const TEST_FILE = /\.ya?ml$/;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/**
 * Finds every published process below a catalog folder: `tools/<id>/<version>/<any>.cwl`, `networks/<id>/<any>.cwl` or
 * `networks/<id>/<version>/<any>.cwl`. Reports folders with an invalid id or version to `ignored`. A network without
 * versions keeps its document when versions are published next to it.
 */
export async function scanCatalog(root: string, ignored: (path: string) => void): Promise<readonly CatalogPlace[]> {
  const places: CatalogPlace[] = [];
  for (const id of await subfolders(join(root, "tools"), ID, ignored)) {
    places.push(...(await versionsOf("tool", id, { folder: join(root, "tools", id), ignored })));
  }
  for (const id of await subfolders(join(root, "networks"), ID, ignored)) {
    const folder = join(root, "networks", id);
    const place = await readPlace("network", id, { version: null, folder });
    const isVersioned = place.documents.length === 0;
    const versions = await versionsOf("network", id, { folder, ignored: isVersioned ? ignored : () => {} });
    // Next to a document without a version, any other folder may contain documents that it uses.
    places.push(...(isVersioned ? versions : [place, ...versions.filter(({ isPinned }) => isPinned)]));
  }
  return places;
}

async function versionsOf(
  kind: CatalogPlace["kind"],
  id: string,
  { folder, ignored }: { readonly folder: string; readonly ignored: (path: string) => void },
): Promise<CatalogPlace[]> {
  const versions = (await subfolders(folder, VERSION, ignored)).filter(
    (name) => name !== "examples" && name !== "tests",
  );
  const places = await Promise.all(
    versions.map((version) => readPlace(kind, id, { version, folder: join(folder, version) })),
  );
  return places.filter((place) => place.documents.length > 0);
}

async function readPlace(
  kind: CatalogPlace["kind"],
  id: string,
  { version, folder }: { readonly version: string | null; readonly folder: string },
): Promise<CatalogPlace> {
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const inFolder = async (name: string) =>
    names.includes(name) ? ((await readdir(join(folder, name)).catch(undefinedIfMissing)) ?? []) : [];
  return {
    kind,
    id,
    version,
    folder,
    documents: names.filter((name) => name.endsWith(".cwl")).sort(),
    examples: (await inFolder("examples")).filter((name) => /\.(ya?ml|json)$/.test(name)).sort(),
    tests: (await inFolder("tests")).filter((name) => TEST_FILE.test(name)).sort(),
    deprecated: names.includes("DEPRECATED"),
    isPinned: names.includes(PIN_FILE),
  };
}

async function subfolders(folder: string, pattern: RegExp, ignored: (path: string) => void): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
  const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name);
  for (const name of names.filter((candidate) => !pattern.test(candidate) && !candidate.startsWith(".")))
    ignored(join(folder, name));
  return names.filter((name) => pattern.test(name)).sort();
}
