// npm run docs [-- FOLDER]: builds the documentation as static files, by default into dist/docs. They need no server: open
// index.html. Links are relative, search works in the browser, and nothing is loaded from elsewhere.
import { join, resolve } from "node:path";
import { ensureInstalled, ROOT } from "../../tooling/install.mjs";
import { onPinnedNode } from "../../tooling/reliability/on-pinned-node.mjs";
import { ensureGenerator } from "./ensure-generator.mjs";

ensureInstalled();
ensureGenerator();
onPinnedNode();
const { writeSite } = await import("./write-site.mjs");
const target = resolve(process.argv[2] ?? join(ROOT, "dist/docs"));
console.log(`${await writeSite(target)} pages in ${target}`);
