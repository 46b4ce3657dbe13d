import { Readable } from "node:stream";
import { makeZip } from "client-zip";
import type { OpenFile } from "../files/beneath/open-file.ts";

/** What stands in an archive. Names are relative, with `/` between folders; each must be there once. */
export type ArchiveEntry =
  | { readonly kind: "text"; readonly name: string; readonly text: string; readonly isExecutable?: boolean }
  | { readonly kind: "bytes"; readonly name: string; readonly bytes: Buffer }
  /** `open` is called when its turn comes; `startAt`: bytes before it are left out. */
  | { readonly kind: "file"; readonly name: string; readonly open: () => Promise<OpenFile>; readonly startAt?: number }
  | { readonly kind: "folder"; readonly name: string };

type Entries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>;

/** The oldest time that a zip can hold. */
export const OLDEST = new Date("1980-01-02T00:00:00Z");

/**
 * A zip as a stream: entries are asked for, opened and read one after the other, as fast as they are taken, so that memory
 * does not grow with their number or size (ZIP64 where it is needed). Stored, not deflated: what is large in science is
 * compressed already, and the processor belongs to the jobs. Ends with an error where a file cannot be read; no half of
 * an archive is taken for a whole, because its directory comes last.
 */
export function zipArchive(entries: Entries, madeAt: Date): Readable {
  // The web's type of a stream is declared twice, here and by Node; they are the same.
  return Readable.fromWeb(makeZip(feed(entries, madeAt)) as Parameters<typeof Readable.fromWeb>[0]);
}

async function* feed(entries: Entries, madeAt: Date) {
  for await (const entry of entries) {
    switch (entry.kind) {
      case "folder":
        yield { name: `${entry.name.replace(/\/$/, "")}/`, lastModified: madeAt };
        break;
      case "text":
        yield { name: entry.name, input: entry.text, lastModified: madeAt, mode: entry.isExecutable ? 0o755 : 0o644 };
        break;
      case "bytes":
        yield { name: entry.name, input: entry.bytes, lastModified: madeAt, mode: 0o644 };
        break;
      case "file":
        yield* feedFile(entry);
    }
  }
}

/** The file is closed also when nobody takes the rest. */
async function* feedFile({ name, open, startAt = 0 }: Extract<ArchiveEntry, { readonly kind: "file" }>) {
  using file = await open();
  const { size, mtime, mode } = file.stats;
  const lastModified = mtime < OLDEST ? OLDEST : mtime;
  // If the file has grown since, send only its original length.
  const input = size > startAt ? file.stream({ start: startAt, end: size - 1 }) : "";
  try {
    yield { name, input, lastModified, mode: mode & 0o777 };
  } finally {
    if (input !== "") input.destroy();
  }
}
