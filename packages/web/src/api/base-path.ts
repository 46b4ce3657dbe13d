/**
 * Address below which the app and the API live, without a trailing slash: "" or "/weft". The server writes it into
 * `<meta name="weft-base">` of index.html.
 */
export const basePath: string = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-base"]')?.content ?? "/"
).replace(/\/+$/, "");
