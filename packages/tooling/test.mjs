// npm test: installs what the tests need (a browser too, in CI a container engine, a sandbox and Slurm) and runs all of them: unit, integration, end-to-end.
import { ensureGenerator } from "../web/site/ensure-generator.mjs";
import { ensureBrowser } from "./browser.mjs";
import { ensureBuilt, pinnedNode } from "./build.mjs";
import { ensureClientTools } from "./clients/ensure-client-tools.mjs";
import { ensureContainers } from "./containers.mjs";
import { attempt, ensureInstalled } from "./install.mjs";
import { ensureSlurm } from "./slurm/ensure-slurm.mjs";
import { succeeds } from "./step.mjs";
import { unitTests } from "./unit-tests.mjs";

ensureInstalled();
const node = pinnedNode();
ensureBuilt();
ensureBrowser(node);
ensureContainers();
ensureSlurm();
ensureClientTools();
ensureGenerator();
// The integration tests wait for programs so often that the unit tests fit in between.
const [unit, integration] = await Promise.all([
  succeeds({ name: "weft: unit tests", command: node, args: unitTests("spec") }),
  succeeds({
    name: "weft: integration tests",
    command: node,
    args: ["packages/tooling/integration-tests.mjs"],
    live: true,
  }),
]);
const endToEnd = attempt(node, ["node_modules/playwright/cli.js", "test", ...process.argv.slice(2)]);
if (!unit) console.error("weft: unit tests failed");
if (!integration) console.error("weft: integration tests failed");
if (!endToEnd) console.error("weft: end-to-end tests failed");
process.exit(unit && integration && endToEnd ? 0 : 1);
