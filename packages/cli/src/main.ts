import { enableCompileCache } from "node:module";

// Before anything else is loaded: the second start of a command takes half the time.
enableCompileCache();
const { runCli } = await import("./run-cli.ts");
process.exitCode = await runCli(process.argv.slice(2));
