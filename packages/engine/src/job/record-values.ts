import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { textDigest } from "../files/hash-file.ts";
import { filesOf, mapObjectFiles } from "../files/map-files.ts";
import { redactUrl } from "../files/remote/remote-url.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Blob, RecordedFile } from "../journal/journal-event.ts";

/** A CWL object as the log keeps it: portable locations, no paths of a job's folders; beside it the files it names. */
export interface RecordedValues {
  readonly blob: Blob;
  readonly files: readonly RecordedFile[];
}

/** `sources`: of published outputs, where each came from (`file:` address → `file:` address). */
export function recordValues(
  values: CwlObject,
  uris: PortableUris,
  sources: ReadonlyMap<string, string> = new Map(),
): RecordedValues {
  const portable = mapObjectFiles(values, (file) => toRecorded(file, uris));
  const text = JSON.stringify(portable);
  return {
    blob: { digest: textDigest(text), text },
    files: filesOf(values).flatMap(({ port, file }) => recordFile(port, file, { uris, sources })),
  };
}

/** The other way: what the log keeps, with `file:` locations. */
export function restoreValues(text: string, uris: PortableUris): CwlObject {
  const values = JSON.parse(text) as CwlObject; // written by `recordValues`
  return mapObjectFiles(values, (file) => {
    const location = file.location === undefined ? undefined : uris.toFile(file.location);
    return location === undefined ? file : { ...file, location };
  });
}

function toRecorded(file: FileOrDirectory, uris: PortableUris): FileOrDirectory {
  const { path: _path, ...rest } = file;
  const kept = rest.class === "File" ? withoutDirname(rest) : rest;
  return kept.location === undefined ? kept : { ...kept, location: uris.toPortable(redactUrl(kept.location)) };
}

function withoutDirname<Value extends { readonly dirname?: string }>(value: Value): Omit<Value, "dirname"> {
  const { dirname: _dirname, ...rest } = value;
  return rest;
}

/** Literals that were never written to disk are values, not files; so is what its own address holds. */
function recordFile(
  port: string,
  file: FileOrDirectory,
  { uris, sources }: { readonly uris: PortableUris; readonly sources: ReadonlyMap<string, string> },
): RecordedFile[] {
  if (file.location === undefined || file.class !== "File" || file.location.startsWith("data:")) return [];
  const source = sources.get(file.location);
  return [
    {
      port,
      name: file.basename ?? "",
      uri: uris.toPortable(redactUrl(file.location)),
      ...(source === undefined ? {} : { source_uri: uris.toPortable(redactUrl(source)) }),
      checksum: file.checksum ?? null,
      size: file.size ?? null,
    },
  ];
}
