// npm test: installs what the tests need (a browser too, in CI a container engine, a sandbox and Slurm) and runs all of them: unit, integration, end-to-end.
import { ensureGenerator } from "../web/site/ensure-generator.mjs";
import { ensureBrowser } from "./browser.mjs";
import { ensureBuilt, pinnedNode, startEnvironment } from "./build.mjs";
import { ensureClientTools } from "./clients/ensure-client-tools.mjs";
import { ensureContainers } from "./containers.mjs";
import { attempt, ensureInstalled } from "./install.mjs";
import { ensureSlurm } from "./slurm/ensure-slurm.mjs";
import { otherTests, pureTests } from "./test-groups.mjs";

ensureInstalled();
const node = pinnedNode();
ensureBuilt();
ensureBrowser(node);
ensureContainers();
ensureSlurm();
ensureClientTools();
ensureGenerator();
// Where Node keeps compiled code, so that not every test file compiles the engine again.
const options = { env: startEnvironment() };
const slowest = ["spec", "./packages/tooling/slowest-files.mjs"].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  "--test-reporter-destination=stdout",
]);
const pure = attempt(node, pureTests("--test-reporter=spec"), options);
const unit = attempt(node, otherTests(slowest, ["packages/*/test/**/*.test.ts"]), options) && pure;
const endToEnd = attempt(node, ["node_modules/playwright/cli.js", "test", ...process.argv.slice(2)]);
if (!unit) console.error("weft: unit or integration tests failed");
if (!endToEnd) console.error("weft: end-to-end tests failed");
process.exit(unit && endToEnd ? 0 : 1);
