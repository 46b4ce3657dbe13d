#!/usr/bin/env node
// Hands over to the pinned Node, whichever Node (20 or newer) started this file: the server runs TypeScript directly.
"use strict";
const { startPinned } = require("./pinned-node.cjs");

startPinned("main.ts");
