// npm test: installs packages, then runs the suite on the pinned Node (suite/run-suite.ts).
import { pinnedNode } from "./build.mjs";
import { attempt, ensureInstalled } from "./install.mjs";

ensureInstalled();
const isOk = attempt(pinnedNode(), [new URL("suite/run-suite.ts", import.meta.url).pathname, ...process.argv.slice(2)]);
process.exit(isOk ? 0 : 1);
