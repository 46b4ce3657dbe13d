import type { ArchiveEntry } from "../../archive/zip-archive.ts";

/** A part of a crate besides its metadata. Names are relative, with `/` between folders, and unique. */
export type CratePart = Extract<ArchiveEntry, { readonly kind: "text" | "file" | "folder" }>;

export interface Crate {
  /** The text of `ro-crate-metadata.json`, which is the first part. */
  readonly metadata: string;
  readonly parts: readonly CratePart[];
}
