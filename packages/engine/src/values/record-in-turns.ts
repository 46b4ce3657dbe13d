import { createHash } from "node:crypto";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { EndedOutputs } from "@weft/cwl/workflow/advance.ts";
import { ResultList } from "@weft/cwl/workflow/result-list.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { giveWay } from "../async/give-way.ts";
import { textDigest } from "../files/hash-file.ts";
import type { Blob, LongBlob } from "../journal/journal-event.ts";
import { portableValues, recordFiles, valuesText, type Recording } from "./record-values.ts";

/** Some of the files of an object, and the part of its text that was written since the page before. */
export interface RecordedPage {
  readonly files: readonly RecordedFile[];
  readonly blobs: readonly (Blob | LongBlob)[];
}

export interface RecordingInTurns extends Recording {
  readonly filesPerPage: number;
  /** Called for each value, or each element of a list; returns the value to record. */
  readonly prepare?: (value: CwlValue, port: string) => Promise<CwlValue>;
  /** Takes all pages but the last, in order. */
  readonly takePage: (page: RecordedPage) => Promise<void>;
}

/** The last page of an object, whose blobs include the object itself. */
export interface RecordedInTurns extends RecordedPage {
  /** The digest of the object's text. */
  readonly digest: string;
}

/**
 * Like `recordValues`, for lists of any length: yields to other work between their elements, and never has all files or
 * the whole text in memory.
 */
export async function recordInTurns(values: EndedOutputs, recording: RecordingInTurns): Promise<RecordedInTurns> {
  const recorder = new Recorder(recording);
  for (const [port, value] of Object.entries(values)) {
    recorder.open(port);
    if (value instanceof ResultList || isArray(value)) await recordItems(port, value, recorder);
    else await recorder.add(port, value, "");
  }
  return recorder.end();
}

async function recordItems(port: string, items: Iterable<CwlValue>, recorder: Recorder): Promise<void> {
  recorder.write("[");
  let index = 0;
  for (const item of items) {
    if (index > 0) recorder.write(",");
    await recorder.add(port, item, `[${index++}]`);
    await giveWay();
  }
  recorder.write("]");
}

/** Assembles the JSON text of an object from its parts. */
class Recorder {
  readonly #recording: RecordingInTurns;
  readonly #hash = createHash("sha256");
  readonly #files: RecordedFile[] = [];
  /** Digests of the parts of the text that earlier pages contain. */
  readonly #parts: string[] = [];
  /** The text since the last page. */
  #texts: string[] = [];
  #ports = 0;

  constructor(recording: RecordingInTurns) {
    this.#recording = recording;
    this.write("{");
  }

  open(port: string): void {
    this.write(`${this.#ports++ > 0 ? "," : ""}${JSON.stringify(port)}:`);
  }

  /** A value of this port, or the element of it at this path. */
  async add(port: string, value: CwlValue, place: string): Promise<void> {
    const { filesPerPage, takePage, prepare, uris } = this.#recording;
    const values = { [port]: prepare === undefined ? value : await prepare(value, port) };
    const text = valuesText(portableValues(values, uris));
    this.write(text.slice(JSON.stringify(port).length + 2, -1));
    for (const file of recordFiles(values, this.#recording, place)) this.#files.push(file);
    while (this.#files.length > filesPerPage)
      await takePage({ files: this.#files.splice(0, filesPerPage), blobs: this.#takeText() });
  }

  write(text: string): void {
    this.#hash.update(text);
    this.#texts.push(text);
  }

  end(): RecordedInTurns {
    this.write("}");
    const digest = `sha256:${this.#hash.digest("hex")}`;
    const blobs = this.#takeText();
    const isLong = this.#parts.length > 1;
    return { digest, files: this.#files, blobs: isLong ? [...blobs, { digest, parts: this.#parts }] : blobs };
  }

  /** The text since the last page; empty if none was written, because the files of one value may fill several pages. */
  #takeText(): readonly Blob[] {
    const text = this.#texts.join("");
    this.#texts = [];
    if (text === "") return [];
    const digest = textDigest(text);
    this.#parts.push(digest);
    return [{ digest, text }];
  }
}
