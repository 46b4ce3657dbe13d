/** Unique names within a crate. */
export class CratePaths {
  readonly #taken = new Set<string>();

  /** Reserves `folder/name`, or `folder/2/name` if that is taken, so that a file keeps its name. */
  take(folder: string, name: string): string {
    let path = within(`${folder}/${name}`);
    for (let number = 2; this.#taken.has(path.toLowerCase()); number += 1) path = within(`${folder}/${number}/${name}`);
    // Some file systems ignore case.
    this.#taken.add(path.toLowerCase());
    return path;
  }
}

/** Names come from documents and requests: none may lead out of the crate on any system. */
export function within(path: string): string {
  const segments = path.replaceAll("\\", "_").split("/");
  return segments.filter((segment) => segment !== "" && segment !== "." && segment !== "..").join("/");
}
