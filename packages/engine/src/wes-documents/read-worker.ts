import { workerData } from "node:worker_threads";
import { finishThread } from "../async/own-thread.ts";
import { openTrustedFile } from "../files/beneath/open-file.ts";
import { runLater } from "../files/beneath/steps.ts";
import { readAttached, TooLarge } from "./read-attached.ts";
import type { AttachedFiles } from "./read-attached.ts";
import type { ReadAnswer } from "./read-in-thread.ts";

const attached = workerData as AttachedFiles; // started by read-in-thread.ts

finishThread(await answer());

async function answer(): Promise<ReadAnswer> {
  const before = process.threadCpuUsage();
  try {
    const document = await readAttached(attached, readUpload);
    const { user, system } = process.threadCpuUsage(before);
    return { document, cpuMs: (user + system) / 1000 };
  } catch (error) {
    if (error instanceof TooLarge) return { tooLarge: error.message };
    throw error;
  }
}

/** The server stores uploads under names that nobody else can write to. */
async function readUpload(path: string, maxBytes: number): Promise<Buffer> {
  using file = await runLater(openTrustedFile(path));
  if (file.stats.size > maxBytes) throw new TooLarge("its files are too large");
  return file.readAll();
}
