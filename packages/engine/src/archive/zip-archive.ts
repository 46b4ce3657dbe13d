import { Readable } from "node:stream";
import { makeZip } from "client-zip";
import type { OpenFile } from "../files/beneath/open-file.ts";

/** An entry of an archive. Names are relative, use `/` between folders, and must be unique. */
export type ArchiveEntry =
  | { readonly kind: "text"; readonly name: string; readonly text: string; readonly isExecutable?: boolean }
  | { readonly kind: "bytes"; readonly name: string; readonly bytes: Buffer; readonly isExecutable?: boolean }
  /** `open` is called when the entry is written; `startAt` is the number of bytes to skip at its beginning. */
  | { readonly kind: "file"; readonly name: string; readonly open: () => Promise<OpenFile>; readonly startAt?: number }
  | { readonly kind: "folder"; readonly name: string };

export function textEntry(name: string, text: string) {
  return { kind: "text", name, text } as const;
}

export function jsonEntry(name: string, value: unknown) {
  return textEntry(name, `${JSON.stringify(value, null, 2)}\n`);
}

type Entries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>;

/** The earliest time that a zip can store. */
export const OLDEST = new Date("1980-01-02T00:00:00Z");

/**
 * Streams a zip. It opens and reads entries one after the other, only as fast as the receiver takes them, so memory
 * does not grow with their number or size (it uses ZIP64 where needed). Entries are stored, not deflated: large
 * scientific files are usually compressed already, and the CPU belongs to the jobs. If a file cannot be read, the
 * stream ends with an error. A truncated archive cannot be mistaken for a complete one, because the central directory
 * comes last.
 */
export function zipArchive(entries: Entries, madeAt: Date): Readable {
  // The DOM and Node have separate declarations of the same stream type.
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
        yield { name: entry.name, input: entry.bytes, lastModified: madeAt, mode: entry.isExecutable ? 0o755 : 0o644 };
        break;
      case "file":
        yield* feedFile(entry);
    }
  }
}

/** Closes the file even if the receiver stops reading. */
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

/**
 * A line of a checksum file in the format of `sha1sum -c`. `checksum` is `sha1$…`; unusual characters in names are
 * escaped with a backslash.
 */
export function checksumLine(checksum: string, name: string): string {
  const digits = checksum.replace(/^sha1\$/, "");
  if (!/[\\\n\r]/.test(name)) return `${digits}  ${name}\n`;
  const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `\\${digits}  ${escaped}\n`;
}
