#!/usr/bin/env node
// The command that documents name in their first line: `#!/usr/bin/env cwl-runner`.
"use strict";
const { startPinned } = require("./pinned-node.cjs");

startPinned("cwl-runner/main.ts");
