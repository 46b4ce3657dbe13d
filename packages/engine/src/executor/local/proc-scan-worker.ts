import { parentPort } from "node:worker_threads";
import { jobProcesses } from "../kill/job-processes.ts";
import { treeUse } from "../usage/tree-use.ts";
import type { ScanAnswer, ScanQuestion } from "./proc-scanner.ts";

const port = parentPort;
if (port === null) throw new Error("proc-scan-worker runs only in a worker thread");
port.on("message", (question: ScanQuestion) => {
  const answer: ScanAnswer = { id: question.id, answer: look(question) };
  port.postMessage(answer);
});

function look(question: ScanQuestion): ScanAnswer["answer"] {
  switch (question.kind) {
    case "find":
      return jobProcesses(question.ask);
    case "use":
      return treeUse(question.ask);
  }
}
