// Component tests: npx node packages/web/test-components.mjs [WORD…]. WORDs select the files whose path contains one of them.
// The end of the output lists what was skipped; with WEFT_TEST_RESULT=FILE, the counts are written there as JSON.
import { pinnedNode } from "../tooling/build.mjs";
import { attempt, ensureInstalled } from "../tooling/install.mjs";

ensureInstalled();
const config = ["--config", "packages/web/vitest.config.ts"];
const isOk = attempt(pinnedNode(), ["node_modules/vitest/vitest.mjs", "run", ...config, ...process.argv.slice(2)]);
process.exit(isOk ? 0 : 1);
