// npm run release: builds the packages of Weft from a clean clone. Builds of the same commit are identical.
import { ensureInstalled } from "../install.mjs";

ensureInstalled();
const { buildRelease } = await import("./build-release.mjs"); // needs what was just installed
await buildRelease(process.argv.slice(2));
