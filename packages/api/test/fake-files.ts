import { hash } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import type { Caller, EngineFiles, JobLog, ServableLog } from "@weft/engine/port/engine.ts";
import { Reach } from "@weft/engine/files/beneath/reach.ts";
import { servableFile } from "@weft/engine/files/servable-file.ts";
import type { ServableFile } from "@weft/engine/files/servable-file.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { UploadedFile } from "@weft/shared/records/process-record.ts";

/** Files of every run and job, in a folder of their own that goes away with them. */
export class FakeFiles implements EngineFiles {
  readonly #folder: string;
  readonly #names = new Map<string, { readonly path: string }>();
  /** Refuses where the caller may not see the run; set by the engine whose runs they are. */
  requireRun: (caller: Caller, runId: string) => void = () => undefined;
  /** Whether uploads find no room. */
  isFull = false;
  /** Whether jobs still write to their logs. */
  logsAreGrowing = false;
  uploadLimitBytes = 16 * 1024 * 1024;
  /** Tells by `upload` when one begins. */
  readonly begun = new EventEmitter();
  begunCount = 0;
  readonly uploads: { readonly name: string; readonly content: Buffer; readonly location: string }[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<FakeFiles> {
    return new FakeFiles(await mkdtemp(join(tmpdir(), "weft-api-")));
  }

  /** Makes a file that is found below this path in every run. */
  async put(path: string, content: string): Promise<string> {
    const onDisk = join(this.#folder, hash("sha1", content));
    await writeFile(onDisk, content);
    this.#names.set(path, { path: onDisk });
    return onDisk;
  }

  async runFile(caller: Caller, runId: string, path: string): Promise<ServableFile> {
    this.requireRun(caller, runId);
    const file = this.#names.get(path);
    if (file === undefined) throw new Refusal("file-not-found", `There is no file ${path}`);
    const found = await servableFile(file.path, new Reach({ regions: [{ folder: this.#folder }] }));
    if (found === undefined) throw new Refusal("file-not-found", `There is no file ${path}`);
    return { ...found, name: basename(path) };
  }

  async jobLog(caller: Caller, { runId, jobId, stream }: JobLog): Promise<ServableLog> {
    const file = await this.runFile(caller, runId, `${jobId}.${stream}`);
    return { ...file, isGrowing: this.logsAreGrowing };
  }

  async browse(
    _caller: Caller,
    { location = "" }: Parameters<EngineFiles["browse"]>[1],
  ): ReturnType<EngineFiles["browse"]> {
    if (location !== "") throw new Refusal("file-not-found", `There is no folder at ${location}`);
    const entry = {
      name: "cohort",
      kind: "folder",
      size: null,
      modified_at: null,
      location: "weft-data://cohort",
    } as const;
    return { location: "", entries: [entry], total: 1, next_page_token: "" };
  }

  async upload(_caller: Caller, name: string, content: Readable): Promise<UploadedFile> {
    const chunks: Buffer[] = [];
    let size = 0;
    this.begunCount += 1;
    this.begun.emit("upload");
    if (this.isFull) throw new Refusal("disk-full", "The disk is full");
    for await (const chunk of content) {
      size += chunk.length;
      if (size > this.uploadLimitBytes) throw new Refusal("body-too-large", "The disk has no room for this");
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const location = `weft-upload://${this.uploads.length + 1}/${encodeURIComponent(name)}`;
    this.uploads.push({ name, content: bytes, location });
    return {
      location,
      name,
      size: bytes.length,
      checksum: `sha1$${hash("sha1", bytes)}`,
      sha256: hash("sha256", bytes),
    };
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
