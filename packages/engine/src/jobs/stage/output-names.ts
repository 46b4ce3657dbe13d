import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { nameOf } from "@weft/cwl/files/staging/place-files.ts";
import { numberedName, type SafeName } from "@weft/cwl/model/safe-name.ts";

/** Names of a file and of its secondary files. */
export type GroupNames = ReadonlyMap<FileOrDirectory, SafeName>;

/**
 * Gives the outputs in one folder different names. If two names are equal, the later gets a number. A file and its
 * secondary files get the same number, before everything that a pattern removes or adds: `a_2.bam`, `a_2.bam.bai` and
 * `a_2.bai`. A file keeps one name, however many outputs refer to it.
 */
export class OutputNames {
  /** Names in use, each with the location of its file; undefined for values that cannot occur twice. */
  readonly #taken = new Map<string, string | undefined>();
  /** The last number of each name, because thousands of jobs may use the same name. */
  readonly #last = new Map<string, number>();
  /** Numbers of files by location; by location and name for a file with several names. */
  readonly #numbers = new Map<string, number>();

  /** `present`: locations of the files in the folder that must not be replaced. */
  constructor(present: readonly string[] = []) {
    for (const uri of present) {
      const name = basename(fileURLToPath(uri));
      this.#taken.set(name, uri);
      this.#numbers.set(uri, 1);
    }
  }

  ofDirectory(name: SafeName): SafeName {
    let number = this.#last.get(name) ?? 1;
    const ending = lastEnding(name);
    while (this.#taken.has(numbered(name, number, ending))) number += 1;
    const free = numbered(name, number, ending);
    this.#last.set(name, number);
    this.#taken.set(free, undefined);
    return free;
  }

  ofFile(file: FileValue): GroupNames {
    const group = groupOf(file);
    let number = this.#numberOf(file, group) ?? this.#last.get(nameOf(file)) ?? 1;
    while (!this.#areFree(namesOf(group, number))) number += 1;
    const names = namesOf(group, number);
    for (const [member, name] of names) this.#taken.set(name, member.location);
    this.#last.set(nameOf(file), Math.max(number, this.#last.get(nameOf(file)) ?? 1));
    this.#remember(file, number);
    const others = group.others.map((other) => [other, this.ofDirectory(nameOf(other))] as const);
    return new Map([...names, ...others]);
  }

  #numberOf(file: FileValue, group: Group): number | undefined {
    const { location } = file;
    if (location === undefined) return undefined;
    const number = this.#numbers.get(location);
    const isOfName = number !== undefined && this.#taken.get(namesOf(group, number).get(file) ?? "") === location;
    return isOfName ? number : this.#numbers.get(`${location}\n${nameOf(file)}`);
  }

  /** Nearly all files have one name, so the keys take little memory: the strings of their locations exist anyway. */
  #remember({ location, ...file }: FileValue, number: number): void {
    if (location === undefined) return;
    if (!this.#numbers.has(location)) this.#numbers.set(location, number);
    else if (this.#numbers.get(location) !== number) this.#numbers.set(`${location}\n${nameOf(file)}`, number);
  }

  #areFree(names: GroupNames): boolean {
    return [...names].every(
      ([{ location }, name]) =>
        !this.#taken.has(name) || (location !== undefined && this.#taken.get(name) === location),
    );
  }
}

interface Group {
  /** Common beginning of the names of all members. */
  readonly stem: string;
  readonly members: readonly FileOrDirectory[];
  /** Secondary files whose names are not derived from that of the file. */
  readonly others: readonly FileOrDirectory[];
}

function groupOf(file: FileValue): Group {
  const name: string = nameOf(file);
  const secondary = secondaryOf(file);
  const stems = secondary.map((other) => commonStem(name, nameOf(other)));
  const shortest = Math.min(name.length - lastEnding(name).length, ...stems.flatMap((stem) => stem?.length ?? []));
  return {
    stem: name.slice(0, shortest),
    members: [file, ...secondary.filter((_, index) => stems[index] !== undefined)],
    others: secondary.filter((_, index) => stems[index] === undefined),
  };
}

function secondaryOf(value: FileOrDirectory): readonly FileOrDirectory[] {
  const secondary = value.class === "File" ? (value.secondaryFiles ?? []) : [];
  return secondary.flatMap((other) => [other, ...secondaryOf(other)]);
}

/** `a.b` for `a.b.bam` and `a.b.bai`: the name without as many endings as a pattern must remove; undefined if none does. */
function commonStem(name: string, other: string): string | undefined {
  for (let stem = name; stem !== "";) {
    if (other.startsWith(stem) && !/^[\p{L}\p{N}]/u.test(other.slice(stem.length))) return stem;
    const ending = lastEnding(stem);
    if (ending === "") return undefined;
    stem = stem.slice(0, stem.length - ending.length);
  }
  return undefined;
}

function namesOf({ stem, members }: Group, number: number): GroupNames {
  const names = members.map((member) => [member, nameOf(member)] as const);
  if (number === 1) return new Map(names);
  const longest = names.map(([, name]) => name.slice(stem.length)).sort((a, b) => b.length - a.length)[0] ?? "";
  return new Map(names.map(([member, name]) => [member, numberedAlike(name, { stem, longest, number })]));
}

interface Numbering {
  readonly stem: string;
  /** The longest ending in the group, for which the stem may have to be shorter. */
  readonly longest: string;
  readonly number: number;
}

function numberedAlike(name: SafeName, { stem, longest, number }: Numbering): SafeName {
  const widest = numbered(`${stem}${longest}` as SafeName, number, longest); // the name of a member of the group
  return `${widest.slice(0, widest.length - longest.length)}${name.slice(stem.length)}` as SafeName; // parts of two names
}

function numbered(name: SafeName, number: number, ending: string): SafeName {
  return number === 1 ? name : numberedName(name, number, ending);
}

/** The extension that `^` removes in CWL: from the last dot on, unless the name begins with it. */
function lastEnding(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot) : "";
}
