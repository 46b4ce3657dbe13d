// npm test: installs what the tests need (a browser too, in CI a container engine, a sandbox and Slurm) and runs all of them: unit, integration, end-to-end.
import { ensureBrowser } from "./browser.mjs";
import { ensureBuilt, pinnedNode } from "./build.mjs";
import { ensureClientTools } from "./clients/ensure-client-tools.mjs";
import { ensureContainers } from "./containers.mjs";
import { attempt, ensureInstalled } from "./install.mjs";
import { ensureSlurm } from "./slurm/ensure-slurm.mjs";

ensureInstalled();
const node = pinnedNode();
ensureBuilt();
ensureBrowser(node);
ensureContainers();
ensureSlurm();
ensureClientTools();
const unit = attempt(node, [
  "--disable-proto=delete",
  "--test",
  "--test-reporter=spec",
  "packages/*/src/**/*.test.ts",
  "packages/*/test/**/*.test.ts",
  "packages/tooling/*.test.ts",
]);
const endToEnd = attempt(node, ["node_modules/playwright/cli.js", "test", ...process.argv.slice(2)]);
if (!unit) console.error("weft: unit or integration tests failed");
if (!endToEnd) console.error("weft: end-to-end tests failed");
process.exit(unit && endToEnd ? 0 : 1);
