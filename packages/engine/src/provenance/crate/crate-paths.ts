/** Names within a crate: each is given once. */
export class CratePaths {
  readonly #taken = new Set<string>();

  /**
   * `folder/name`; `folder/2/name` where that is taken, so that a file keeps its name, and those beside it stay beside it.
   */
  take(folder: string, name: string): string {
    let path = within(`${folder}/${name}`);
    for (let number = 2; this.#taken.has(path.toLowerCase()); number += 1) path = within(`${folder}/${number}/${name}`);
    // Some file systems do not tell large and small letters apart.
    this.#taken.add(path.toLowerCase());
    return path;
  }
}

/** Names come from documents and requests: none of them may lead out of the crate, on no system. */
export function within(path: string): string {
  const segments = path.replaceAll("\\", "_").split("/");
  return segments.filter((segment) => segment !== "" && segment !== "." && segment !== "..").join("/");
}
