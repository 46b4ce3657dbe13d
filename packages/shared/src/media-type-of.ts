const TEXT = "text/plain; charset=utf-8";

/**
 * The media type under which a result is shown, by the end of its name. Scripts and styles are shown as text;
 * documents that could run something (html, svg, xml, pdf) keep their type and are defused by the policy that every
 * file is sent with.
 */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ...[".txt", ".log", ".md", ".cwl", ".yml", ".yaml", ".js", ".mjs", ".py", ".r", ".sh", ".css", ".bval", ".bvec"].map(
    (end) => [end, TEXT] as const,
  ),
  [".csv", "text/csv; charset=utf-8"],
  [".tsv", "text/tab-separated-values; charset=utf-8"],
  [".json", "application/json; charset=utf-8"],
  [".jsonld", "application/ld+json; charset=utf-8"],
  [".ndjson", "application/x-ndjson; charset=utf-8"],
  [".html", "text/html; charset=utf-8"],
  [".htm", "text/html; charset=utf-8"],
  [".xml", "application/xml; charset=utf-8"],
  [".svg", "image/svg+xml; charset=utf-8"],
  [".pdf", "application/pdf"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".avif", "image/avif"],
  [".bmp", "image/bmp"],
  [".tif", "image/tiff"],
  [".tiff", "image/tiff"],
  [".mp4", "video/mp4"],
  [".webm", "video/webm"],
  [".gz", "application/gzip"],
  [".zip", "application/zip"],
]);

/** Media type of a file by its name; `application/octet-stream` if it is unknown. */
export function mediaTypeOf(name: string): string {
  const end = /[^/](\.[^./]+)$/.exec(name)?.[1] ?? "";
  return MEDIA_TYPES.get(end.toLowerCase()) ?? "application/octet-stream";
}
