import { parentPort } from "node:worker_threads";
import type { ScanAnswer } from "./proc-scanner.ts";
import { markedProcesses } from "./marked-processes.ts";

const port = parentPort;
if (port === null) throw new Error("proc-scan-worker runs in a worker thread only");
port.on("message", ({ id, marker }: { readonly id: number; readonly marker: string }) => {
  const answer: ScanAnswer = { id, pids: markedProcesses(marker) };
  port.postMessage(answer);
});
