import { parseJson } from "@weft/shared/json/exact-json.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { checkedObject } from "@weft/cwl/values/checked-value.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { CrateEvent } from "@weft/shared/events/crate-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { mapObjectFiles, filesOf } from "../../values/map-files.ts";
import { textDigest } from "../../files/hash-file.ts";
import type { Blob, NewEvent } from "../../journal/journal-event.ts";
import type { FoldedEvent } from "../../journal/project-import.ts";
import { unusable, type ImportedEvent } from "./read-crate-events.ts";
import { Relocation } from "./relocation.ts";

export interface RunToFold {
  readonly events: readonly ImportedEvent[];
  /** Id of the new run on this server. */
  readonly runId: string;
  /** The importer, who becomes the owner here. */
  readonly principal: string;
  /** The text of a document or object in the crate, by digest. */
  readonly blob: (digest: string) => string | undefined;
  /** The local run that corresponds to another run of that server. */
  readonly knownAs: (madeAs: string) => string | undefined;
  readonly limits: Limits;
}

export interface FoldedRun {
  readonly events: readonly FoldedEvent[];
  /** Objects rewritten with locations of this server. */
  readonly blobs: readonly Blob[];
  /** All files and folders in the events, by path relative to the run's folder. */
  readonly files: ReadonlyMap<string, RecordedFile>;
  /** The original locations of the files, by the same paths. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Rewrites the events of another server's run for this server: locations, owner and ids. Pure. */
export function foldEvents(run: RunToFold): FoldedRun {
  return new Fold(run).all();
}

class Fold {
  readonly #run: RunToFold;
  readonly #relocation: Relocation;
  readonly #blobs = new Map<string, Blob>();
  readonly #files = new Map<string, RecordedFile>();
  readonly #origins = new Map<string, string>();
  /** URLs of files that come with the document. */
  readonly #ofDocument: ReadonlySet<string>;

  constructor(run: RunToFold) {
    this.#run = run;
    this.#relocation = new Relocation({ from: run.events[0]?.line.run_id ?? "", to: run.runId });
    this.#ofDocument = filesOfDocument(run.events, (digest) => this.#parse(digest));
  }

  all(): FoldedRun {
    const events = this.#run.events.flatMap(({ line, event }) => {
      const told = this.#fold(event, line.actor);
      return told === undefined ? [] : [{ time_ms: Date.parse(line.time), event: told }];
    });
    return { events, blobs: [...this.#blobs.values()], files: this.#files, origins: this.#origins };
  }

  #fold(event: CrateEvent, actor: string): NewEvent | undefined {
    const { runId, principal } = this.#run;
    const ofRun = { run_id: runId, actor };
    switch (event.type) {
      case "run.created":
        return { type: event.type, run_id: runId, actor: principal, data: this.#created(event.data) };
      case "run.inputs":
        return { ...ofRun, type: event.type, data: { files: this.#relocateFiles(event.data.files, "inputs") } };
      case "run.outputs": {
        const files = this.#relocateFiles(event.data.files, "outputs");
        return { ...ofRun, type: event.type, data: { ...event.data, files } };
      }
      case "run.ended": {
        const files = this.#relocateFiles(event.data.files, "outputs");
        const data = { ...event.data, files, outputs: this.#object(event.data.outputs) };
        return { ...ofRun, type: event.type, data };
      }
      case "run.compared":
        return this.#compared(event);
      case "run.started":
        return { ...ofRun, type: event.type, data: {} };
      case "run.steps":
        return { ...ofRun, type: event.type, data: event.data };
      case "run.canceling":
        return { ...ofRun, type: event.type, data: event.data };
      default:
        return this.#foldJob(event, ofRun);
    }
  }

  #foldJob(
    event: Extract<CrateEvent, { readonly type: `job.${string}` }>,
    ofRun: { readonly run_id: string; readonly actor: string },
  ): NewEvent {
    const { job_id, step, sample_id } = event;
    const ofJob = { ...ofRun, job_id, step: step ?? "", ...(sample_id === null ? {} : { sample_id }) };
    switch (event.type) {
      case "job.started": {
        const files = this.#relocateFiles(event.data.files, "inputs");
        const inputs = this.#object(event.data.inputs) ?? event.data.inputs;
        return { ...ofJob, type: event.type, data: { ...event.data, files, inputs } };
      }
      case "job.ended": {
        // A file reused from another run counts as external.
        const files = this.#relocateFiles(event.data.files, "inputs");
        const data = { ...event.data, files, outputs: this.#object(event.data.outputs) };
        return { ...ofJob, type: event.type, data };
      }
      case "job.queued":
        return { ...ofJob, type: event.type, data: event.data };
      case "job.running":
        return { ...ofJob, type: event.type, data: event.data };
      case "job.exited":
        return { ...ofJob, type: event.type, data: event.data };
      case "job.retrying":
        return { ...ofJob, type: event.type, data: event.data };
    }
  }

  /** The document is self-contained: no neighboring file is read for it (see catalog/recorded-document.ts). */
  #created({ reproduces, ...data }: Extract<CrateEvent, { readonly type: "run.created" }>["data"]) {
    const { knownAs } = this.#run;
    const original = reproduces === undefined ? undefined : knownAs(reproduces.run_id);
    return {
      ...data,
      document_uri: this.#relocation.besideDocumentUri(data.document_uri),
      inputs: this.#object(data.inputs) ?? data.inputs,
      ...(reproduces === undefined || original === undefined
        ? {}
        : { reproduces: { ...reproduces, run_id: original } }),
    };
  }

  /** A verdict is meaningful only if the other run is here too. */
  #compared({ data }: Extract<CrateEvent, { readonly type: "run.compared" }>): NewEvent | undefined {
    const { runId, knownAs } = this.#run;
    const other = knownAs(data.with);
    if (other === undefined) return undefined;
    return { type: "run.compared", run_id: runId, actor: "engine", data: { ...data, with: other } };
  }

  #relocateFiles(files: readonly RecordedFile[], side: "inputs" | "outputs"): readonly RecordedFile[] {
    return files.map((file) => {
      // The origin was seen as an output of a job; otherwise it leads nowhere.
      const source =
        file.source_uri === undefined ? {} : { source_uri: this.#relocation.uri(file.source_uri, "inputs") };
      const moved = { ...file, uri: this.#uriOf(file, side), ...source };
      const path = this.#relocation.pathOf(moved.uri);
      const known = path === undefined ? undefined : this.#files.get(path);
      // A file read before its content was known is reported again later.
      if (path !== undefined && known?.sha256 === undefined) this.#files.set(path, moved);
      if (path !== undefined) this.#origins.set(path, file.uri);
      return moved;
    });
  }

  #uriOf(file: RecordedFile, side: "inputs" | "outputs"): string {
    const isFolder = file.class === "Directory";
    if (this.#ofDocument.has(file.uri) && /^(weft-data|file):/i.test(file.uri))
      return this.#relocation.besideDocumentUri(file.uri);
    return this.#relocation.uri(file.uri, side, isFolder);
  }

  #parse(digest: string): CwlObject {
    const text = this.#run.blob(digest);
    if (text === undefined) throw unusable(`it refers to the object ${digest}, which is not in weft/documents.jsonl`);
    return parseObject(text, { digest, limits: this.#run.limits });
  }

  /** The digest of an input or output object with locations of this server. */
  #object(digest: string | null): string | null {
    if (digest === null) return null;
    const moved = JSON.stringify(
      mapObjectFiles(this.#parse(digest), (file) => {
        const { location } = file;
        if (location === undefined) return file;
        return { ...file, location: this.#relocation.uri(location, "inputs", file.class === "Directory") };
      }),
    );
    const blob = { digest: textDigest(moved), text: moved };
    this.#blobs.set(blob.digest, blob);
    return blob.digest;
  }
}

/** Parses an object as untrusted input, because anyone can write a crate. */
function parseObject(
  text: string,
  { digest, limits }: { readonly digest: string; readonly limits: Limits },
): CwlObject {
  try {
    return checkedObject(parseJson(text), { limits, code: "INPUT_INVALID" });
  } catch (error) {
    if (!(error instanceof CwlFailure)) throw error;
    throw unusable(`${digest} is not an input or output object: ${error.message}`);
  }
}

/**
 * URLs of the files that come with a document, such as a script named in a tool's default: jobs read them although they
 * are neither inputs nor products of the run. `parse` returns an input object by its digest.
 */
function filesOfDocument(events: readonly ImportedEvent[], parse: (digest: string) => CwlObject): ReadonlySet<string> {
  const all = events.map(({ event }) => event);
  const requested = all.flatMap((event) => (event.type === "run.created" ? [parse(event.data.inputs)] : []));
  const ports = new Set(requested.flatMap((object) => Object.keys(object)));
  const given = [
    ...requested.flatMap((object) =>
      filesOf(object).map(({ file }) => ({ uri: file.location ?? "", class: file.class })),
    ),
    ...filesIn(all, "run.inputs").filter(({ port }) => ports.has(port)),
  ];
  const others = new Set([...given, ...filesIn(all, "job.ended")].map(({ uri }) => uri));
  const folders = given.filter((file) => file.class === "Directory").map(({ uri }) => `${uri.replace(/\/$/, "")}/`);
  const read = [...filesIn(all, "run.inputs"), ...filesIn(all, "job.started")].filter(
    (file) => file.class === undefined,
  );
  const isElsewhere = (uri: string) => others.has(uri) || folders.some((folder) => uri.startsWith(folder));
  return new Set(read.map(({ uri }) => uri).filter((uri) => !isElsewhere(uri)));
}

function filesIn(events: readonly CrateEvent[], type: CrateEvent["type"]): readonly RecordedFile[] {
  return events.flatMap((event) => (event.type === type && "files" in event.data ? event.data.files : []));
}
