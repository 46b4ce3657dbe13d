import type { DatasetIndex, IndexedFile } from "./index-dataset.ts";

/** Finds files that belong to other files, such as JSON sidecars. */
export interface Companions {
  /**
   * The nearest file with an extension (`.json`) or with another suffix and an extension (`_events.tsv`) that applies to
   * a file.
   */
  nearest(file: IndexedFile, ending: string): IndexedFile | undefined;
  /** The fields of all JSON sidecars that apply to a file; the nearest wins. */
  metadata(file: IndexedFile): Readonly<Record<string, unknown>>;
}

export type ReadJson = (path: string) => unknown;

const NAMED = new Set(["suffix", "extension", "datatype"]);

/** `readJson`: the content of a sidecar; undefined if it cannot be read. */
export function findCompanions(index: DatasetIndex, readJson: ReadJson): Companions {
  if (index.kind === "files") return neighbors(index);
  const byPlace = Map.groupBy(index.files, ({ path, fields: { suffix = "", extension = "" } }) =>
    placeKey(folderOf(path), suffix, extension),
  );
  const applying = (file: IndexedFile, ending: string): IndexedFile[] => {
    const [, suffix = file.fields["suffix"] ?? "", extension = ""] = /^(?:_([^.]+))?(\..*)$/.exec(ending) ?? [];
    return foldersTo(file.path).flatMap((folder) =>
      (byPlace.get(placeKey(folder, suffix, extension)) ?? [])
        .filter((other) => other !== file && applies(other, file))
        .toSorted((a, b) => Object.keys(a.fields).length - Object.keys(b.fields).length),
    );
  };
  return {
    nearest: (file, ending) => applying(file, ending).at(-1),
    metadata: (file) =>
      Object.assign({}, ...applying(file, ".json").map(({ path }) => readJson(path))) as Record<string, unknown>, // merges objects of JSON
  };
}

/** The companions in a folder that is not a BIDS dataset: `a.bam.bai` or `a.bai` for `a.bam`. */
function neighbors({ files }: DatasetIndex): Companions {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const nearest = (file: IndexedFile, ending: string) =>
    byPath.get(file.path + ending) ?? byPath.get(withoutExtension(file) + ending);
  return { nearest, metadata: () => ({}) };
}

export function withoutExtension({ path, fields }: IndexedFile): string {
  return path.slice(0, path.length - (fields["extension"] ?? "").length);
}

/** The inheritance principle: every entity of the companion is one of the file. */
function applies(companion: IndexedFile, file: IndexedFile): boolean {
  return Object.entries(companion.fields).every(
    ([name, value]) => NAMED.has(name) || (Object.hasOwn(file.fields, name) && file.fields[name] === value),
  );
}

function placeKey(folder: string, suffix: string, extension: string): string {
  return `${folder}\n${suffix}\n${extension}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The folders from the root to the folder of the file. */
function foldersTo(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
}
