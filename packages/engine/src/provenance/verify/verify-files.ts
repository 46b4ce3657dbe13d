import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import { hashFile } from "../../files/hash-file.ts";
import type { PortableUris } from "../../files/portable-uri.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { Finding } from "./finding.ts";

/**
 * Compares files with the records in events, event by event. A job that may change its input in place
 * (InplaceUpdateRequirement) invalidates an earlier record, but its own record explains that. Only a change that no
 * later event explains is a finding, so findings are reported at the end.
 */
export class FileCheck {
  readonly #uris: PortableUris;
  readonly #changed = new Map<string, Finding>();
  readonly #findings: Finding[] = [];
  #checked = 0;
  #unchecked = 0;

  constructor(uris: PortableUris) {
    this.#uris = uris;
  }

  /** Files whose content was read again. */
  get checked(): number {
    return this.#checked;
  }

  /** Number of files that are not on this machine, or have no recorded checksum. */
  get unchecked(): number {
    return this.#unchecked;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings, ...this.#changed.values()];
  }

  async check(file: RecordedFile, recordedBy: string): Promise<void> {
    if (file.class === "Directory") return;
    const address = pathOf(this.#uris.toFile(file.uri));
    if (file.checksum === null || address === undefined) {
      this.#unchecked += 1;
      return;
    }
    this.#checked += 1;
    const path = await realpath(address).catch(undefinedIfMissing);
    if (path === undefined) this.#findings.push(gone(file, recordedBy));
    else await this.#compare(file, path, recordedBy);
  }

  async #compare(file: RecordedFile, path: string, recordedBy: string): Promise<void> {
    const content = await hashFile(path);
    const isSame = content.sha1 === file.checksum && (file.sha256 ?? content.sha256) === content.sha256;
    if (isSame) this.#changed.delete(path);
    else this.#changed.set(path, differs(file, recordedBy));
  }
}

/** The path of a `file:` URL; undefined for another or invalid URL. */
function pathOf(uri: string | undefined): string | undefined {
  if (uri?.startsWith("file:") !== true) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function gone(file: RecordedFile, recordedBy: string): Finding {
  return { kind: "file-missing", subject: `file ${file.uri}`, detail: `is missing (recorded by ${recordedBy})` };
}

function differs(file: RecordedFile, recordedBy: string): Finding {
  const what = file.sha256 === undefined ? file.checksum : `sha256 ${file.sha256}`;
  return {
    kind: "file-changed",
    subject: `file ${file.uri}`,
    detail: `its content differs from the record (${what}, by ${recordedBy})`,
  };
}
