import type { ArchiveEntry } from "../../archive/zip-archive.ts";

/** What stands in a crate beside its metadata. Names are relative, with `/` between folders; each is there once. */
export type CratePart = Extract<ArchiveEntry, { readonly kind: "text" | "file" }>;

export interface Crate {
  /** The text of `ro-crate-metadata.json`, which is the first part. */
  readonly metadata: string;
  readonly parts: readonly CratePart[];
}
