import { parentPort, workerData } from "node:worker_threads";
import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { openServerFiles } from "../access/open-server-files.ts";
import { createLogReader } from "../journal/log-reader.ts";
import { openForReading } from "../journal/open-database.ts";
import { DatasetReader } from "./dataset-reader.ts";
import type {
  DatasetAnswer,
  DatasetAnswers,
  DatasetFailure,
  DatasetRequest,
  DatasetTask,
  DatasetThreadData,
  ResultParts,
} from "./dataset-task.ts";
import { listDatasets } from "./list-datasets.ts";

const { database, folders } = workerData as DatasetThreadData; // started by dataset-thread.ts
const read = createLogReader(openForReading(database), "reader");
const { roots, access } = openServerFiles(folders, read);

const SAMPLES_PER_PART = 500;

parentPort?.on("message", (message: DatasetRequest | object) => {
  // Node's watch mode also sends messages through a worker's port.
  if ("task" in message) void reply(message);
});

async function reply({ id, task, caller }: DatasetRequest): Promise<void> {
  const post = (message: DatasetAnswer, moved: readonly ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, [...moved]);
  try {
    const answer = await answerTo(task, caller);
    post({ id, answer }, "rest" in answer ? [answer.rest.buffer, ...answer.samples.map(({ buffer }) => buffer)] : []);
  } catch (error) {
    post({ id, failure: failureOf(error) });
  }
}

async function answerTo(
  task: DatasetTask,
  { principal, othersRuns, base }: DatasetRequest["caller"],
): Promise<DatasetAnswers[DatasetTask["kind"]]> {
  const { reach } = access.ofCaller({ principal, othersRuns, links: createLinks(base) });
  const reader = new DatasetReader(roots, reach);
  switch (task.kind) {
    case "list":
      return listDatasets(roots, reach);
    case "detail":
      return reader.detail(task.folder);
    case "files":
      return reader.files(task);
    case "query":
      return partsOf(await reader.query(task.query));
  }
}

function partsOf({ samples, ...rest }: QueryResult): ResultParts {
  const count = Math.ceil(samples.length / SAMPLES_PER_PART);
  return {
    rest: bytesOf(rest),
    samples: Array.from({ length: count }, (_, part) =>
      bytesOf(samples.slice(part * SAMPLES_PER_PART, (part + 1) * SAMPLES_PER_PART)),
    ),
  };
}

/** A separate copy: a short text would share its buffer with others. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(JSON.stringify(value)));
}

function failureOf(error: unknown): DatasetFailure {
  if (error instanceof Refusal) return { code: error.code, message: error.message, errors: error.errors };
  return {
    code: undefined,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    errors: [],
  };
}
