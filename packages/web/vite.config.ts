import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type ProxyOptions } from "vite";
import { docs } from "./docs/docs-plugin.ts";
import { themeScript } from "./theme-script.ts";

const api = process.env["WEFT_API"] ?? "http://127.0.0.1:8080";

/** The server refuses requests of other origins, so the proxy sends the headers of a page of the server itself. */
const proxied: ProxyOptions = {
  target: api,
  changeOrigin: true,
  ws: true,
  configure: (proxy) => {
    proxy.on("proxyReq", (request) => request.getHeader("origin") && request.setHeader("origin", api));
    proxy.on("proxyReqWs", (request) => request.setHeader("origin", api));
  },
};

/** GET /shutdown is a page of this app; only the POST belongs to the server. */
const proxiedPost: ProxyOptions = {
  ...proxied,
  ws: false,
  bypass: (request) => (request.method === "POST" ? undefined : "/index.html"),
};

/**
 * index.html names its files from the root, where the server puts its base address before them; files name each other
 * relative to themselves, so that they work below any base.
 */
function renderBuiltUrl(_file: string, { hostType }: { readonly hostType: "js" | "css" | "html" }) {
  return hostType === "html" ? undefined : { relative: true };
}

/**
 * Puts the code of the first page into two files (the application, and libraries, which change rarely) instead of one file
 * for each set of pages that share code: without HTTP/2, browsers load six files at a time, and each request through a
 * tunnel is slow. Joins small files that several other pages share, but not with libraries of a single view or of dialogs:
 * a view that shares a small file with a dialog would otherwise load the library of all dialogs.
 */
const FILES = [
  { name: "libraries", tags: ["$initial" as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: "app", tags: ["$initial" as const], priority: 2 },
  // The text editor, which only the page of a draft needs.
  {
    name: "editor",
    test: /[\\/](node_modules[\\/](@codemirror|@lezer|@marijn|style-mod|crelt|w3c-keyname)|workbench[\\/]editor)[\\/]/,
    priority: 2,
  },
  {
    name: "shared",
    test: /^(?!.*[\\/](js-yaml[\\/]|yaml-syntax\.ts|diff[\\/]libesm|(alert-)?dialog[\\/]|ui[\\/](confirm-dialog|dialog-frame|modal|side-panel)\.tsx))/,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 3_000,
    priority: 1,
  },
];

/** A shared file would be named after all files that share it. */
function fileName({ name }: { readonly name: string }): string {
  return `static/${name.startsWith("shared~") ? "shared" : "[name]"}-[hash].js`;
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  experimental: { renderBuiltUrl },
  plugins: [themeScript(), docs(), react(), tailwindcss()],
  build: {
    outDir: "dist",
    assetsDir: "static",
    assetsInlineLimit: 0,
    manifest: true,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: FILES }, chunkFileNames: fileName } },
  },
  server: { proxy: { "/api": proxied, "/swagger.json": proxied, "/swaggerui": proxied, "/shutdown": proxiedPost } },
});
