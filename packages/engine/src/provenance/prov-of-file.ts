import type { Links } from "@weft/shared/links.ts";
import type { FileRow, JobRow, RunRow } from "../journal/rows.ts";
import { provDocument } from "./prov-document.ts";
import type { ProvDocument } from "./prov-document.ts";

/** An output of a run, and who wrote it. */
export interface WrittenFile {
  readonly run: RunRow;
  readonly output: FileRow;
  /** Undefined of a file that no job wrote: an input that was handed on. */
  readonly writer: { readonly job: JobRow; readonly files: readonly FileRow[] } | undefined;
}

/** Where one output of a run comes from, and no further: the job that wrote it with what that read, and the run. */
export function provOfFile({ run, output, writer }: WrittenFile, links: Links): ProvDocument {
  const written = output.sourceUri ?? output.uri;
  const isHow = ({ direction, uri }: FileRow) => direction === "input" || uri === written;
  return provDocument(
    {
      run,
      jobs: writer === undefined ? [] : [writer.job],
      files: [...(writer?.files.filter(isHow) ?? []), output],
      isWritten: (uri) => writer !== undefined && uri === written,
    },
    links,
  );
}
