import { previewKind, type PreviewKind } from "./preview-kind.ts";

/** Larger files get no thumbnail; of texts and tables, only the head is read. */
const MAX_BYTES: Readonly<Partial<Record<PreviewKind, number>>> = {
  image: 8 * 1024 ** 2,
  nifti: 32 * 1024 ** 2,
  pdf: 8 * 1024 ** 2,
};

/** How to show a file as a thumbnail: by its name, unless it is empty or too large. */
export function thumbKind(name: string, sizeBytes: number | undefined): PreviewKind {
  const kind = previewKind(name);
  if (sizeBytes === 0) return "none";
  const most = MAX_BYTES[kind];
  return most === undefined || (sizeBytes !== undefined && sizeBytes <= most) ? kind : "none";
}

/** Maximum size of files that the viewer reads as a whole. */
const MAX_SHOWN_BYTES: Readonly<Partial<Record<PreviewKind, number>>> = {
  image: 64 * 1024 ** 2,
  page: 32 * 1024 ** 2,
  nifti: 1024 ** 3,
};

/** Whether a file is larger than the page should read; a file of unknown size is not. */
export function isTooLarge(name: string, sizeBytes: number | undefined): boolean {
  return (sizeBytes ?? 0) > (MAX_SHOWN_BYTES[previewKind(name)] ?? Number.POSITIVE_INFINITY);
}
