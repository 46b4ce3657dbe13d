import { inThread } from "../async/own-thread.ts";
import { openTrustedFile } from "../files/beneath/open-file.ts";
import { runLater } from "../files/beneath/steps.ts";
import { readAttached, tooLarge, type AttachedFiles } from "./read-attached.ts";
import type { ReadDocument } from "./read-in-thread.ts";

// Started by read-in-thread.ts.
await inThread(async (attached: AttachedFiles): Promise<ReadDocument> => {
  const before = process.threadCpuUsage();
  const document = await readAttached(attached, readUpload);
  const { user, system } = process.threadCpuUsage(before);
  return { document, cpuMs: (user + system) / 1000 };
});

/** The server stores uploads under names that nobody else can write to. */
async function readUpload(path: string, maxBytes: number): Promise<Buffer> {
  using file = await runLater(openTrustedFile(path));
  if (file.stats.size > maxBytes) throw tooLarge("its files are too large");
  return file.readAll();
}
