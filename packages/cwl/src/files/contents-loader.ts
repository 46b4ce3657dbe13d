import { limitExceeded, type CwlLimits } from "../limits.ts";
import type { FileValue } from "../model/cwl-value.ts";
import { isSinceVersion, type CwlVersion } from "../model/cwl-version.ts";
import { NotUtf8 } from "../values/decode-utf8.ts";
import type { FileAccess } from "./file-access.ts";

/** CWL v1.2 CommandLineTool.html#LoadContents. */
export const CONTENTS_LIMIT_BYTES = 64 * 1024;

export interface LoadedContents {
  readonly file: FileValue;
  /** The reason why the contents were not loaded, as a sentence. */
  readonly problem?: string;
  readonly code?: "too-large" | "invalid-file";
}

function notText(error: unknown): NotUtf8 {
  if (error instanceof NotUtf8) return error;
  throw error;
}

interface LoaderOptions {
  readonly files: FileAccess;
  readonly cwlVersion: CwlVersion;
  readonly limits: Pick<CwlLimits, "loadedContentBytes">;
}

/** Loads the contents of the Files of one input object, output object or step; `loadedContentBytes` bounds all of them. */
export class ContentsLoader {
  readonly #options: LoaderOptions;
  #bytes = 0;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * A File with its text in `contents`. Files larger than 64 KiB are refused, or truncated for documents before v1.2,
   * as their specification says. Fails with LIMIT_EXCEEDED.
   */
  async load(file: FileValue): Promise<LoadedContents> {
    if (file.location === undefined) return { file };
    const { files, cwlVersion } = this.#options;
    const size = file.size ?? (await files.stat(file.location))?.size ?? 0;
    if (size > CONTENTS_LIMIT_BYTES && isSinceVersion(cwlVersion, "v1.2")) {
      return {
        file,
        code: "too-large",
        problem: `\`${file.basename ?? file.location}\` has ${size} bytes; loadContents reads at most ${CONTENTS_LIMIT_BYTES}`,
      };
    }
    const expected = Math.min(size, CONTENTS_LIMIT_BYTES);
    this.#refuseBeyond(this.#bytes + expected);
    const contents = await files.readText(file.location, CONTENTS_LIMIT_BYTES).catch(notText);
    if (contents instanceof NotUtf8) {
      const problem = `\`${file.basename ?? file.location}\` is ${contents.message}; loadContents reads only text`;
      return { file, code: "invalid-file", problem };
    }
    // A value can state a wrong size, and a file can grow.
    this.#bytes += Math.max(expected, new TextEncoder().encode(contents).length);
    this.#refuseBeyond(this.#bytes);
    return { file: { ...file, contents } };
  }

  #refuseBeyond(bytes: number): void {
    const { limits } = this.#options;
    if (bytes > limits.loadedContentBytes)
      throw limitExceeded("loadedContentBytes", limits, { what: "the size of the contents that `loadContents` loads" });
  }
}
