import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import { ForeignFiles } from "../../backends/foreign-files.ts";
import { WORLD } from "../../machine/event-loop.ts";
import type { Inode } from "../../machine/inode.ts";
import type { Machine } from "../../machine/machine.ts";
import { SAMPLES_ROOT, type PlannedSample } from "./plan-automation.ts";

export const SAMPLES_FOLDER = "/samples";
const EXTENSION = ".txt";
const AGAIN_MS = 3000;
const PART = "begun\n";
const WHOLE = "begun\nended\n";

/** One version of a file in the folder. */
export interface SampleVersion {
  readonly name: string;
  readonly ino: number;
  readonly size: number;
  readonly changedMs: number;
}

/** A folder in which files appear, on a disk that other machines write to. */
export class SampleFolder {
  readonly #machine: Machine;
  readonly #planned: readonly PlannedSample[];
  readonly #files: ForeignFiles;
  #left: number;

  constructor(machine: Machine, planned: readonly PlannedSample[]) {
    this.#machine = machine;
    this.#planned = planned;
    this.#files = new ForeignFiles(machine);
    this.#left = 0;
  }

  begin(): void {
    for (const { name, atMs, againAfterMs } of this.#planned) {
      this.#write(name, againAfterMs === undefined ? WHOLE : PART, atMs);
      if (againAfterMs !== undefined) this.#write(name, WHOLE, atMs + againAfterMs);
    }
  }

  /** True once every file has its final content. */
  get isComplete(): boolean {
    return this.#left === 0;
  }

  versions(): readonly SampleVersion[] {
    const { inode } = this.#machine.volume.find(SAMPLES_FOLDER);
    return [...(inode?.entries ?? new Map<string, Inode>())].map(([file, { ino, size, mtimeMs }]) => ({
      ...{ name: file.slice(0, -EXTENSION.length), ino, size },
      changedMs: mtimeMs,
    }));
  }

  /** The content of every whole file. */
  get text(): string {
    return WHOLE;
  }

  #write(name: string, text: string, afterMs: number): void {
    this.#left += 1;
    const write = () => {
      const path = `${SAMPLES_FOLDER}/${name}${EXTENSION}`;
      if (this.#files.write(path, text) !== undefined) return void this.#machine.loop.after(AGAIN_MS, write, WORLD);
      this.#files.sync(path);
      this.#left -= 1;
    };
    this.#machine.loop.after(afterMs, write, WORLD);
  }
}

/** The files of a folder, as a query returns them. */
export function asQueryResult(versions: readonly SampleVersion[]): QueryResult {
  return {
    location: `weft-data://${SAMPLES_ROOT}/`,
    samples: versions.map(({ name, size, changedMs }) => ({
      name,
      columns: { files: { class: "File", location: `weft-data://${SAMPLES_ROOT}/${name}${EXTENSION}` } },
      bytes: size,
      modified_at: new Date(changedMs).toISOString(),
    })),
    ...{ left_out: [], samples_left_out: 0, files_left_out: 0, files_used: versions.length },
  };
}
