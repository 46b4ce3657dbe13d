import { runCwlRunner } from "./run-cwl-runner.ts";

process.exitCode = await runCwlRunner(process.argv.slice(2));
