/** What stands in a crate beside its metadata. Names are relative, with `/` between folders; each is there once. */
export type CratePart =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  /** `path`: absolute, links resolved. */
  | { readonly kind: "file"; readonly name: string; readonly path: string };

export interface Crate {
  /** The text of `ro-crate-metadata.json`, which is the first part. */
  readonly metadata: string;
  readonly parts: readonly CratePart[];
}
