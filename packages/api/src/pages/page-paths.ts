/** Paths of the single-page app, in the router's notation. Everything else that wants a page gets it with 404. */
export const PAGE_PATHS = [
  "/",
  "/index",
  "/doc",
  "/networks",
  "/network/:name",
  "/tool",
  "/tool/:toolname",
  "/tool/:toolname/:version",
  "/prov",
  "/websocketclient",
  "/shutdown",
  "/runs",
  "/run/:id",
] as const;
