import { startProcess } from "../start-process.ts";
import { runCwlRunner } from "./run-cwl-runner.ts";

await startProcess(runCwlRunner);
