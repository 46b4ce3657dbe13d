import type { Links } from "@weft/shared/links.ts";
import { LARGEST_COUNT } from "@weft/shared/records/largest-count.ts";
import type { FileOrigin } from "@weft/shared/records/lineage-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { ContentQuery, MakerRow } from "../journal/read-origins.ts";
import type { FileRow } from "../journal/rows.ts";

/** Maximum number of reuses to follow; a result with more is described by the last reuse that was followed. */
const MAX_REUSES = 100;
const SHOWN_NAMES = 3;

interface MadeBy {
  readonly runId: string;
  readonly jobId: string;
}

/**
 * Finds which job made each file of a page, and how many runs have read it since. Files of one job share what is known
 * about the job. With an owner, runs of other owners do not exist.
 */
export class FileOrigins {
  readonly #read: LogReader;
  readonly #links: Links;
  readonly #visibleOwner: string | undefined;
  readonly #byJob = new Map<string, Omit<FileOrigin, "by"> | null>();
  readonly #makers = new Map<string, MakerRow>();
  readonly #ownFiles = new Map<string, boolean>();

  constructor(
    read: LogReader,
    { links, visibleOwner }: { readonly links: Links; readonly visibleOwner: string | undefined },
  ) {
    this.#read = read;
    this.#links = links;
    this.#visibleOwner = visibleOwner;
  }

  /** The job of the run that wrote the file; undefined for a file from outside. */
  writerOf({ runId, jobId, direction, sourceUri, uri }: FileRow): string | undefined {
    if (direction === "output" && jobId !== null) return jobId;
    return this.#read.writerOf(runId, sourceUri ?? uri);
  }

  /** The tool of a job; null if it has none. */
  toolOf(job: MadeBy): MakerRow["tool"] {
    return this.#makerOf(job)?.tool ?? null;
  }

  of(file: FileRow): FileOrigin | null {
    const jobId = this.writerOf(file);
    if (jobId !== undefined) return originBy("job", this.#ofJob({ runId: file.runId, jobId }));
    const content = this.#contentOf(file, this.#read.run(file.runId)?.createdMs ?? file.timeMs);
    const made = content && this.#read.madeBefore(content);
    const maker = made && this.#read.writerOf(made.runId, made.uri);
    return made && maker ? originBy("content", this.#ofJob({ runId: made.runId, jobId: maker })) : null;
  }

  readByRuns(file: FileRow): number {
    const content = this.#contentOf(file, file.timeMs);
    return content === undefined ? 0 : this.#read.countReaders(content, LARGEST_COUNT);
  }

  /** Empty files are not linked by content. */
  #contentOf({ runId, checksum, sha256, size }: FileRow, timeMs: number): ContentQuery | undefined {
    if (checksum === null || size === 0) return undefined;
    return { runId, checksum, sha256, timeMs, visibleOwner: this.#visibleOwner };
  }

  #ofJob(job: MadeBy): Omit<FileOrigin, "by"> | null {
    const key = `${job.runId}/${job.jobId}`;
    const known = this.#byJob.get(key);
    if (known !== undefined) return known;
    const origin = this.#describe(job);
    this.#byJob.set(key, origin);
    return origin;
  }

  #describe(job: MadeBy): Omit<FileOrigin, "by"> | null {
    const first = this.#makerOf(job);
    if (first === undefined) return null;
    const { runId, jobId, maker } = this.#firstMaker(job, first);
    const names = this.#namesRead(job);
    return {
      run_id: runId,
      run_url: this.#links.run(runId),
      run_name: this.#read.run(runId)?.name ?? runId,
      job_id: jobId,
      step: maker.step,
      sample_id: maker.sampleId,
      tool: maker.tool,
      from: names.slice(0, SHOWN_NAMES),
      from_count: names.length,
    };
  }

  /** The job that ran, if later ones reused its result. */
  #firstMaker(job: MadeBy, first: MakerRow): MadeBy & { readonly maker: MakerRow } {
    let found = { ...job, maker: first };
    for (let reuse = 0; reuse < MAX_REUSES && found.maker.reused !== null; reuse += 1) {
      const { runId, jobId } = found.maker.reused;
      const maker = this.#read.run(runId, this.#visibleOwner) && this.#makerOf({ runId, jobId });
      if (maker === undefined) break;
      found = { runId, jobId, maker };
    }
    return found;
  }

  #makerOf({ runId, jobId }: MadeBy): MakerRow | undefined {
    const key = `${runId}/${jobId}`;
    const known = this.#makers.get(key) ?? this.#read.makerOf(runId, jobId);
    if (known !== undefined) this.#makers.set(key, known);
    return known;
  }

  #namesRead({ runId, jobId }: MadeBy): readonly string[] {
    const files = this.#read.filesReadBy(runId, jobId, LARGEST_COUNT);
    return files.filter(({ uri }) => this.#isOfRun(runId, uri)).map(({ name }) => name);
  }

  /** True if the file is an input or output of the run, and not a file that comes with a tool. */
  #isOfRun(runId: string, uri: string): boolean {
    const key = `${runId} ${uri}`;
    const known = this.#ownFiles.get(key);
    if (known !== undefined) return known;
    const isOwn = this.#read.writerOf(runId, uri) !== undefined || this.#read.isRunInput(runId, uri);
    this.#ownFiles.set(key, isOwn);
    return isOwn;
  }
}

function originBy(by: FileOrigin["by"], origin: Omit<FileOrigin, "by"> | null): FileOrigin | null {
  return origin && { by, ...origin };
}
