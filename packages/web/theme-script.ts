import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * Puts src/theme.js into the page as a small classic script before anything is painted. A module would run after the
 * first paint and flash; an inline script would break the Content-Security-Policy. Its name carries a hash, as the
 * server lets browsers keep everything below /static for ever.
 */
export function themeScript(): Plugin {
  const source = readFileSync(new URL("./src/theme.js", import.meta.url), "utf8");
  const fileName = `static/theme-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
  return {
    name: "weft-theme-script",
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader("content-type", "text/javascript; charset=utf-8");
        response.end(source);
      });
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: () => [{ tag: "script", attrs: { src: `/${fileName}` }, injectTo: "head-prepend" }],
  };
}
