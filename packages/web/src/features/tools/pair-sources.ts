interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The text of one file in both versions; undefined if a version lacks the file. */
export interface SourcePair {
  /** Without the folder, which contains the version. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Pairs files by name; if each version has a single file, pairs these. */
export function pairSources(older: readonly SourceFile[], newer: readonly SourceFile[]): readonly SourcePair[] {
  const [first, second] = [older[0], newer[0]];
  if (first !== undefined && second !== undefined && older.length === 1 && newer.length === 1)
    return [{ name: nameOf(second), before: first.text, after: second.text }];
  const textOf = (files: readonly SourceFile[], name: string): string | undefined =>
    files.find((file) => nameOf(file) === name)?.text;
  const names = new Set([...newer, ...older].map(nameOf));
  return [...names].map((name) => ({ name, before: textOf(older, name), after: textOf(newer, name) }));
}

function nameOf({ file }: SourceFile): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
