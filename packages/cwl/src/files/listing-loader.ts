import { limitExceeded, type CwlLimits } from "../limits.ts";
import type { LoadListing } from "../model/binding.ts";
import type { DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";
import type { FileAccess } from "./file-access.ts";
import { fileAt } from "./normalize-file.ts";

interface LoaderOptions {
  readonly files: FileAccess;
  readonly limits: Pick<CwlLimits, "listingEntries" | "valueItems" | "valueDepth">;
  /** Omits entries that are neither files nor folders, such as dangling links, sockets and pipes. */
  readonly onlyContent?: boolean;
}

/** The number of values that one entry of a listing adds: the entry and its fields. */
const VALUES_OF_ENTRY = 7;

/** Lists the Directories of one input or output object: `listingEntries` bounds each listing, `valueItems` all of them. */
export class ListingLoader {
  readonly #options: LoaderOptions;
  #entries = 0;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * A Directory with the `listing` that `loadListing` requests. Literals keep theirs; a directory on disk has none unless
   * requested. Fails with LIMIT_EXCEEDED. CWL v1.2 CommandLineTool.html#LoadContents.
   */
  async load(directory: DirectoryValue, extent: LoadListing): Promise<DirectoryValue> {
    if (directory.location === undefined) return directory;
    const { listing: _, ...rest } = directory;
    switch (extent) {
      case "no_listing":
        return rest;
      case "shallow_listing":
        return { ...rest, listing: await this.#members(directory.location, { entries: 0 }) };
      case "deep_listing": {
        const { location } = directory;
        const seen = new Set([await this.#realUri(location)]);
        return { ...rest, listing: await this.#deepMembers(location, { seen, count: { entries: 0 }, depth: 1 }) };
      }
    }
  }

  async #members(uri: string, count: Count): Promise<FileOrDirectory[]> {
    const { files, limits, onlyContent = false } = this.#options;
    const entries = (await files.list(uri)).filter(({ kind }) => !onlyContent || kind !== "other");
    this.#entries += entries.length;
    count.entries += entries.length;
    if (count.entries > limits.listingEntries)
      throw limitExceeded("listingEntries", limits, { what: `the number of entries in the listing of \`${uri}\`` });
    if (this.#entries * VALUES_OF_ENTRY > limits.valueItems)
      throw limitExceeded("valueItems", limits, { what: "the number of values in the listings of one object" });
    return entries.map((entry) => fileAt(entry.uri, entry, entry.name));
  }

  /** Symbolic links can make directories contain each other, so each real directory is listed only where it first occurs. */
  async #deepMembers(uri: string, { seen, count, depth }: DeepListing): Promise<FileOrDirectory[]> {
    const { limits } = this.#options;
    if (depth > limits.valueDepth)
      throw limitExceeded("valueDepth", limits, { what: "the nesting of directories in a listing" });
    const listing: FileOrDirectory[] = [];
    for (const member of await this.#members(uri, count)) {
      const { location = uri } = member;
      const real = member.class === "Directory" ? await this.#realUri(location) : undefined;
      if (member.class === "File" || real === undefined || seen.has(real)) listing.push(member);
      else {
        seen.add(real);
        listing.push({ ...member, listing: await this.#deepMembers(location, { seen, count, depth: depth + 1 }) });
      }
    }
    return listing;
  }

  async #realUri(uri: string): Promise<string> {
    return (await this.#options.files.realUri(uri)) ?? uri;
  }
}

interface Count {
  entries: number;
}

interface DeepListing {
  readonly count: Count;
  /** Real URIs of the directories that are listed already. */
  readonly seen: Set<string>;
  readonly depth: number;
}
