type PreviewKind = "text" | "json" | "csv" | "tsv" | "image" | "page" | "pdf" | "nifti" | "none";

/** Larger files get no thumbnail; of texts and tables, only the head is read. */
const MAX_BYTES: Readonly<Partial<Record<PreviewKind, number>>> = {
  image: 8 * 1024 ** 2,
  nifti: 32 * 1024 ** 2,
  pdf: 8 * 1024 ** 2,
};

/** Maximum size of files that the viewer reads as a whole. */
const MAX_SHOWN_BYTES: Readonly<Partial<Record<PreviewKind, number>>> = {
  image: 64 * 1024 ** 2,
  page: 32 * 1024 ** 2,
  nifti: 1024 ** 3,
};

const EXTENSIONS: Readonly<Record<Exclude<PreviewKind, "none">, string>> = {
  text: "txt log md yml yaml cwl ini toml sh py r js mjs css out err xml bed vcf fasta fa",
  json: "json geojson",
  csv: "csv",
  tsv: "tsv tab",
  image: "png jpg jpeg gif webp svg bmp avif",
  page: "html htm",
  pdf: "pdf",
  nifti: "nii nii.gz",
};
const KINDS = Object.keys(EXTENSIONS) as (keyof typeof EXTENSIONS)[]; // the keys of a Record

/** How to show a file inside the page, by its extension. */
export function previewKind(name: string): PreviewKind {
  const extension = /\.(nii\.gz|[^.]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return KINDS.find((kind) => EXTENSIONS[kind].split(" ").includes(extension)) ?? "none";
}

/** How to show a file as a thumbnail: by its name, unless it is empty or too large. */
export function thumbKind(name: string, sizeBytes: number | undefined): PreviewKind {
  const kind = previewKind(name);
  if (sizeBytes === 0) return "none";
  const most = MAX_BYTES[kind];
  return most === undefined || (sizeBytes !== undefined && sizeBytes <= most) ? kind : "none";
}

/** True if a file is larger than the page should read; false for a file of unknown size. */
export function isTooLarge(name: string, sizeBytes: number | undefined): boolean {
  return (sizeBytes ?? 0) > (MAX_SHOWN_BYTES[previewKind(name)] ?? Number.POSITIVE_INFINITY);
}
