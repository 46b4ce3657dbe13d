import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { createLogReader } from "../../journal/log-reader.ts";
import { openForReading } from "../../journal/open-database.ts";
import type { JobTableAnswer, JobTableQuestion, JobTableRequest, JobTableThreadData } from "./job-table-thread.ts";

const { database } = workerData as JobTableThreadData; // started by job-table-thread.ts
const read = createLogReader(openForReading(database), "reader");

parentPort?.on("message", (message: JobTableRequest | object) => {
  // Node's watch mode also sends messages through a worker's port.
  if ("question" in message) reply(message);
});

function reply({ id, question }: JobTableRequest): void {
  const post = (message: JobTableAnswer, moved: readonly ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, [...moved]);
  try {
    const answer = answerTo(question);
    post({ id, answer }, ["order" in answer ? answer.order.buffer : answer.bytes.buffer]);
  } catch (error) {
    post({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function answerTo(question: JobTableQuestion) {
  if (question.kind === "order") return { order: read.jobOrder(question.runId, question.query, question.nowMs) };
  // A separate copy: a short text would share its buffer with others.
  const bytes = Uint8Array.from(Buffer.from(JSON.stringify(read.jobTimes(question.runId, question.after))));
  return { bytes, sha256: hash("sha256", bytes, "base64url") };
}
