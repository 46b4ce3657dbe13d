/** What stands in a crate beside its metadata. Names are relative, with `/` between folders; each is there once. */
export type CratePart =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  /** `path`: absolute, links resolved. */
  | { readonly kind: "file"; readonly name: string; readonly path: string };

/** A crate: `ro-crate-metadata.json` is the first part. */
export interface Crate {
  readonly parts: readonly CratePart[];
}
