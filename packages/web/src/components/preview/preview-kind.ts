export type PreviewKind = "text" | "json" | "csv" | "tsv" | "image" | "page" | "pdf" | "nifti" | "none";

const KINDS: Readonly<Record<Exclude<PreviewKind, "none">, readonly string[]>> = {
  text: [
    "txt",
    "log",
    "md",
    "yml",
    "yaml",
    "cwl",
    "ini",
    "toml",
    "sh",
    "py",
    "r",
    "js",
    "mjs",
    "css",
    "out",
    "err",
    "xml",
    "bed",
    "vcf",
    "fasta",
    "fa",
  ],
  json: ["json", "geojson"],
  csv: ["csv"],
  tsv: ["tsv", "tab"],
  image: ["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif"],
  page: ["html", "htm"],
  pdf: ["pdf"],
  nifti: ["nii", "nii.gz"],
};

/** How to show a file inside the page, by its extension. */
export function previewKind(name: string): PreviewKind {
  const extension = /\.(nii\.gz|[^.]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const found = Object.entries(KINDS).find(([, extensions]) => extensions.includes(extension))?.[0];
  switch (found) {
    case "text":
    case "json":
    case "csv":
    case "tsv":
    case "image":
    case "page":
    case "pdf":
    case "nifti":
      return found;
    default:
      return "none";
  }
}
