import { availableParallelism } from "node:os";
import { ThreadPool } from "../async/thread-pool.ts";
import type { ContentDigest } from "./content-digest.ts";

/** Threads that hash large files. */
const threads = new ThreadPool({
  script: new URL("./hash-worker.ts", import.meta.url),
  width: Math.max(1, Math.min(4, availableParallelism() - 1)),
});

export async function hashInThread(path: string): Promise<ContentDigest> {
  // The thread returns the result of its function (hash-worker.ts), but messages are untyped.
  return (await threads.ask({ lane: path, task: "digestFile", args: [path] })) as ContentDigest;
}
