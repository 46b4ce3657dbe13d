import { createHash } from "node:crypto";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { giveWayWhenDue } from "../async/give-way.ts";
import { portableValues, recordFiles, valuesText } from "./record-values.ts";
import type { RecordedValues, Recording } from "./record-values.ts";

export interface RecordingInTurns extends Recording {
  readonly filesPerPage: number;
  /** Takes all files but those of the last page, in order. */
  readonly takePage: (files: readonly RecordedFile[]) => Promise<void>;
}

/**
 * What `recordValues` returns, for lists of any length: other work continues between their elements. The files are
 * never in memory all at once; those returned are the last page.
 */
export async function recordInTurns(values: CwlObject, recording: RecordingInTurns): Promise<RecordedValues> {
  const recorder = new Recorder(recording);
  for (const [port, value] of Object.entries(values)) {
    recorder.open(port);
    if (isArray(value)) await recordItems(port, value, recorder);
    else await recorder.add(port, value, "");
  }
  return recorder.end();
}

async function recordItems(port: string, items: readonly CwlValue[], recorder: Recorder): Promise<void> {
  recorder.write("[");
  for (const [index, item] of items.entries()) {
    if (index > 0) recorder.write(",");
    await recorder.add(port, item, `[${index}]`);
    await giveWayWhenDue();
  }
  recorder.write("]");
}

/** Puts the JSON text of an object together from the texts of its parts. */
class Recorder {
  readonly #recording: RecordingInTurns;
  readonly #hash = createHash("sha256");
  readonly #texts: string[] = [];
  readonly #files: RecordedFile[] = [];

  constructor(recording: RecordingInTurns) {
    this.#recording = recording;
    this.write("{");
  }

  open(port: string): void {
    this.write(`${this.#texts.length > 1 ? "," : ""}${JSON.stringify(port)}:`);
  }

  /** A value of this port, or an element at this place of it. */
  async add(port: string, value: CwlValue, place: string): Promise<void> {
    const values = { [port]: value };
    const text = valuesText(portableValues(values, this.#recording.uris));
    this.write(text.slice(JSON.stringify(port).length + 2, -1));
    for (const file of recordFiles(values, this.#recording, place)) this.#files.push(file);
    const { filesPerPage, takePage } = this.#recording;
    while (this.#files.length > filesPerPage) await takePage(this.#files.splice(0, filesPerPage));
  }

  write(text: string): void {
    this.#hash.update(text);
    this.#texts.push(text);
  }

  end(): RecordedValues {
    this.write("}");
    return { blob: { digest: `sha256:${this.#hash.digest("hex")}`, text: this.#texts.join("") }, files: this.#files };
  }
}
