import { fileURLToPath } from "node:url";
import type { LogReader } from "../journal/log-reader.ts";
import type { FileRow, RunRow, JobRow } from "../journal/rows.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { contentAt } from "./crate/content-at.ts";
import { provDocument, type ProvDocument } from "./prov-document.ts";

export interface SidecarSources {
  readonly read: LogReader;
  readonly uris: RunServices["uris"];
  readonly reach: RunServices["reach"];
}

export const SIDECAR_ENDING = ".prov.json";

/** The provenance files next to outputs of a run, as PROV-JSON. */
export class SidecarTexts {
  readonly #run: RunRow;
  readonly #sources: SidecarSources;
  readonly #ofJobs: ReadonlyMap<string | null, readonly FileRow[]>;

  constructor(run: RunRow, sources: SidecarSources) {
    this.#run = run;
    this.#sources = sources;
    this.#ofJobs = Map.groupBy(sources.read.filesOfRun(run.runId), ({ jobId }) => jobId);
  }

  async of(output: FileRow): Promise<string> {
    const file = { run: this.#run, output, writer: await this.#withContents(this.#writerOf(output)) };
    return `${JSON.stringify(provOfFile(file), null, 2)}\n`;
  }

  #writerOf({ sourceUri, uri }: FileRow): WrittenFile["writer"] {
    const { runId } = this.#run;
    const { read } = this.#sources;
    const job = read.job(runId, read.writerOf(runId, sourceUri ?? uri) ?? "");
    return job === undefined ? undefined : { job, files: this.#ofJobs.get(job.jobId) ?? [] };
  }

  /** A run without caching has not hashed the files that come with tools, but they still exist. */
  async #withContents(writer: WrittenFile["writer"]): Promise<WrittenFile["writer"]> {
    if (writer === undefined) return undefined;
    const files = writer.files.map(async (file): Promise<FileRow> => {
      const location = file.class === "File" ? this.#sources.uris.toFile(file.uri) : undefined;
      // A file that is gone or unreadable is described as recorded.
      const content =
        location && (await contentAt(fileURLToPath(location), file, this.#sources.reach).catch(() => file));
      return { ...file, ...content };
    });
    return { job: writer.job, files: await Promise.all(files) };
  }
}

/** An output of a run, and the job that wrote it. */
interface WrittenFile {
  readonly run: RunRow;
  readonly output: FileRow;
  /** The job that wrote the file; undefined for an input that was passed on. */
  readonly writer: { readonly job: JobRow; readonly files: readonly FileRow[] } | undefined;
}

/** The origin of one output of a run, one step back: the job that wrote it, what that job read, and the run. */
function provOfFile({ run, output, writer }: WrittenFile): ProvDocument {
  const written = output.sourceUri ?? output.uri;
  const isHow = ({ direction, uri }: FileRow) => direction === "input" || uri === written;
  return provDocument({
    run,
    jobs: writer === undefined ? [] : [writer.job],
    files: [...(writer?.files.filter(isHow) ?? []), output],
    isWritten: (uri) => writer !== undefined && uri === written,
  });
}
