import { runCli } from "./run-cli.ts";
import { startProcess } from "./start-process.ts";

await startProcess(runCli);
