/**
 * Address below which the app and the API live, without a trailing slash: "" or "/weft". The server writes it into
 * `<meta name="weft-base">` of index.html. Code without a page, such as a unit test, sees the root.
 */
export const basePath: string = (
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="weft-base"]')?.content ?? "/"
).replace(/\/+$/, "");

/**
 * An API URL as the page can use it: relative to the page's own origin. Records contain absolute URLs, and behind a
 * proxy or the development server the page's origin may differ.
 */
export function ownUrl(url: string): string {
  const path = url.replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, "");
  return path.startsWith(`${basePath}/api/`) ? path : url;
}

/** Adds a query parameter. */
export function withQuery(url: string, name: string, value: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}
