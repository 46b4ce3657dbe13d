import { basename } from "node:path";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { EngineFiles } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { UploadedFile } from "@weft/shared/records/process-record.ts";
import type { Context, Upload } from "../http/context.ts";
import { RUN_BODY_LIMIT } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import { giveWay } from "@weft/engine/async/give-way.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { parsePart } from "./parse-part.ts";
import { collectPart, readForm, type FormFile } from "./read-form.ts";
import { replaceFiles } from "./replace-files.ts";

/** The part with the JSON; all others are files that it names as `form:<part>`. */
const RUN_PART = "run";
const SCHEME = "form:";
const MAX_FILES = 1000;

export interface ParsedBody {
  readonly body: unknown;
  /** The value that equal requests share, if it is not the body. */
  readonly fingerprint?: unknown;
}

export interface RunFormOptions {
  readonly files: EngineFiles;
  /** Checks the JSON of the part `run`; throws a Refusal if it is invalid. */
  readonly check: (body: unknown) => unknown;
}

/**
 * A run and its files in one request: the part `run` comes first and is checked before anything is stored; then every
 * file that it names by a location `form:<part>` is stored while it arrives. The fingerprint is the JSON as sent, with the
 * checksums of the files: when a request is repeated, its uploads have other locations.
 */
export async function receiveRunForm(ctx: Context, options: RunFormOptions): Promise<ParsedBody> {
  const form = new RunForm(ctx, options);
  const limits = { fieldBytes: RUN_BODY_LIMIT, files: MAX_FILES };
  await readForm(ctx, limits, {
    field: (part, text) => form.takeField(part, Buffer.from(text)),
    file: (file) => form.takeFile(file),
  });
  return form.finish();
}

interface Reference {
  readonly part: string;
  readonly path: readonly PropertyKey[];
}

class RunForm {
  readonly #caller: Caller;
  readonly #upload: Upload;
  readonly #options: RunFormOptions;
  readonly #uploads = new Map<string, UploadedFile>();
  readonly #begun = new Set<string>();
  /** The next part may be announced while this one is still being read or parsed. */
  #runTaken: Promise<void> | undefined;
  #run: { readonly json: unknown; readonly references: readonly Reference[] } | undefined;

  constructor(ctx: Context, options: RunFormOptions) {
    this.#caller = ctx.state.caller;
    this.#upload = uploadOf(ctx);
    this.#options = options;
  }

  async takeField(part: string, text: Buffer): Promise<void> {
    if (part !== RUN_PART) throw unwanted(part, "it is neither the part `run` nor a file");
    return this.#takeRunOnce(async () => text);
  }

  #takeRunOnce(read: () => Promise<Buffer>): Promise<void> {
    if (this.#runTaken !== undefined) throw unwanted(RUN_PART, "there is one already");
    this.#runTaken = read().then((text) => this.#takeRun(text));
    return this.#runTaken;
  }

  async #takeRun(text: Buffer): Promise<void> {
    const json = await parsePart(text, `The part ${RUN_PART} of the form`, this.#upload.limits.json);
    this.#options.check(json);
    this.#run = { json, references: await referencesOf(json) };
  }

  /** The JSON may also come as a file, because browsers send a Blob that way. */
  async takeFile({ part, fileName, content }: FormFile): Promise<void> {
    if (part === RUN_PART) return this.#takeRunOnce(() => collectPart({ part, content }, RUN_BODY_LIMIT, this.#upload));
    if (this.#runTaken === undefined) throw unwanted(part, "the part `run` with the JSON must come before the files");
    await this.#runTaken;
    if (this.#run?.references.some((reference) => reference.part === part) !== true)
      throw unwanted(part, `no File in \`run\` has the location "${SCHEME}${part}"`);
    if (this.#begun.has(part)) throw unwanted(part, "there is one already");
    this.#begun.add(part);
    this.#uploads.set(part, await this.#options.files.upload(this.#caller, basename(fileName), content));
  }

  async finish(): Promise<ParsedBody> {
    if (this.#run === undefined) throw new Refusal("malformed-request", "The form has no part `run` with the JSON");
    const { json, references } = this.#run;
    const errors = references.filter(({ part }) => !this.#uploads.has(part)).map(missingPart);
    if (errors.length > 0) throw new Refusal("invalid-body", "Files are missing from the form", { errors });
    const checksums = [...this.#uploads].map(([part, { sha256 }]) => [part, sha256] as const);
    const body = references.length === 0 ? json : await this.#withLocations(json);
    return {
      body: this.#options.check(body),
      fingerprint: { run: json, files: Object.fromEntries(checksums) },
    };
  }

  #withLocations(json: unknown): Promise<unknown> {
    return replaceFiles(json, (file) => {
      const part = formPart(file);
      const upload = part === undefined ? undefined : this.#uploads.get(part);
      return upload === undefined ? file : { ...file, location: upload.location };
    });
  }
}

function unwanted(part: string, why: string): Refusal {
  return new Refusal("malformed-request", `The part ${JSON.stringify(part)} of the form is invalid: ${why}`);
}

function missingPart({ part, path }: Reference): ProblemError {
  return {
    pointer: jsonPointer(path),
    code: "missing-part",
    detail: `The form has no file in a part ${JSON.stringify(part)}`,
  };
}

/** Every File whose content comes with the form. Nesting was bounded when the JSON was parsed. Yields in between. */
async function referencesOf(json: unknown): Promise<Reference[]> {
  const found: Reference[] = [];
  const path: string[] = [];
  const searchFields = async (fields: Iterable<readonly [key: string | number, field: unknown]>) => {
    for (const [key, field] of fields) {
      if (typeof field !== "object" || field === null) continue;
      path.push(String(key));
      await search(field);
      path.pop();
    }
  };
  const search = async (value: object): Promise<void> => {
    const due = giveWay();
    if (due !== undefined) await due;
    const part = formPart(value);
    if (part !== undefined) found.push({ part, path: [...path, "location"] });
    await searchFields(Array.isArray(value) ? value.entries() : Object.entries(value));
  };
  if (typeof json === "object" && json !== null) await search(json);
  return found;
}

function formPart(value: object): string | undefined {
  const { class: type, location } = value as { readonly class?: unknown; readonly location?: unknown }; // objects of any kind may have these fields
  if (type !== "File" || typeof location !== "string" || !location.startsWith(SCHEME)) return undefined;
  return location.slice(SCHEME.length);
}
