import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import type { CwlObject, CwlValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { safeName, toSafeName, type SafeName } from "@weft/cwl/model/safe-name.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { filesOf, isFileOrDirectory } from "../../../values/map-files.ts";
import { placeOf } from "../../../values/record-values.ts";
import { UNKNOWN_CONTENT, type Content } from "../../crate/content-at.ts";
import { isFile, isFolder, type PlacedForeignFiles } from "./foreign-files.ts";
import {
  lastPart,
  plainValuesOf,
  referencesOf,
  textOf,
  unreadable,
  type ForeignEntity,
  type ForeignGraph,
} from "./foreign-graph.ts";

/** An input or output object as a crate describes it, with its files. */
export interface ForeignSide {
  readonly values: CwlObject;
  readonly files: readonly RecordedFile[];
}

const MAX_VALUES = 500_000;
const MAX_DEPTH = 20;
/** The name for values that the crate does not assign to an input or output. */
export const UNASSIGNED = "unassigned";

/** Turns the values that actions have read and written into CWL values, as far as the crate describes them. */
export class ForeignValues {
  readonly #graph: ForeignGraph;
  readonly #files: PlacedForeignFiles;
  readonly #contents = new Map<string, Content>();
  #count = 0;
  #unassigned = 0;
  readonly #absent = new Set<string>();

  constructor(graph: ForeignGraph, files: PlacedForeignFiles) {
    this.#graph = graph;
    this.#files = files;
  }

  get unassigned(): number {
    return this.#unassigned;
  }

  /** Number of files that actions name and that the crate does not contain. */
  get absent(): number {
    return this.#absent.size;
  }

  /** `property`: object or result of an action; `parameters`: ids of the FormalParameters of its process. */
  side(action: ForeignEntity, property: "object" | "result", parameters: ReadonlySet<string>): ForeignSide {
    const ports = new Map<string, { readonly values: CwlValue[]; readonly isList: boolean }>();
    for (const id of referencesOf(action, property)) {
      const entity = this.#graph.entity(id);
      const parameter = this.#graph.entity(referencesOf(entity, "exampleOfWork").find((work) => parameters.has(work)));
      const value = entity === undefined ? undefined : this.#value(entity, parameter, 0);
      if (entity === undefined || value === undefined) continue;
      const name = portName(parameter, entity);
      if (name === UNASSIGNED) this.#unassigned += 1;
      const port = ports.get(name) ?? { values: [], isList: isMultiple(parameter) && !Array.isArray(value) };
      ports.set(name, port);
      port.values.push(value);
    }
    const values = Object.fromEntries(
      [...ports].map(([name, port]) => [
        name,
        port.values.length > 1 || port.isList ? port.values : (port.values[0] ?? null),
      ]),
    );
    return { values, files: this.#recorded(values) };
  }

  #recorded(values: CwlObject): readonly RecordedFile[] {
    return filesOf(values).flatMap(({ port, place, file }) => {
      const { location: uri } = file;
      if (uri === undefined) return [];
      const { checksum, sha256, size } = this.#contents.get(uri) ?? UNKNOWN_CONTENT;
      return {
        port,
        ...placeOf(place),
        ...(file.class === "Directory" ? { class: "Directory" as const } : {}),
        name: file.basename ?? "",
        uri,
        checksum,
        ...(sha256 === null ? {} : { sha256 }),
        size,
      };
    });
  }

  #value(entity: ForeignEntity, parameter: ForeignEntity | undefined, depth: number): CwlValue | undefined {
    this.#count += 1;
    if (this.#count > MAX_VALUES) throw unreadable(`its run has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) return undefined;
    if (isFile(entity)) return this.#file(entity);
    if (entity.types.has("Collection")) return this.#collection(entity, depth);
    if (isFolder(entity)) return this.#folder(entity, depth);
    if (entity.types.has("PropertyValue")) return this.#property(entity, parameter, depth);
    return undefined;
  }

  #file(entity: ForeignEntity): FileValue {
    const { uri, content, isHere } = this.#files.of(entity);
    if (!isHere) this.#absent.add(entity.id);
    return this.#located(uri, nameOf(entity), content);
  }

  #located(uri: string, name: SafeName, content: Content): FileValue {
    this.#contents.set(uri, content);
    const { checksum, size } = content;
    return {
      class: "File",
      location: uri,
      basename: name,
      ...(checksum === null ? {} : { checksum }),
      ...(size === null ? {} : { size }),
    };
  }

  #folder(entity: ForeignEntity, depth: number): CwlValue {
    const { uri, isHere } = this.#files.of(entity);
    const listing = isHere
      ? this.#files
          .under(entity)
          .map((member) => this.#located(member.uri, toSafeName(member.name) ?? FILE, member.content))
      : this.#parts(entity, depth).filter((part) => isFileOrDirectory(part));
    this.#count += listing.length;
    if (!isHere) this.#absent.add(entity.id);
    return { class: "Directory", location: uri, basename: nameOf(entity), listing };
  }

  /** A main file with secondary files, or a list. */
  #collection(entity: ForeignEntity, depth: number): CwlValue | undefined {
    const main = this.#graph.entity(referencesOf(entity, "mainEntity")[0]);
    if (main === undefined || !isFile(main)) return this.#parts(entity, depth);
    const others = this.#parts(entity, depth, main.id).filter((part) => isFileOrDirectory(part));
    return { ...this.#file(main), secondaryFiles: others };
  }

  #parts(entity: ForeignEntity, depth: number, except?: string): CwlValue[] {
    return referencesOf(entity, "hasPart").flatMap((id) => {
      const part = id === except ? undefined : this.#graph.entity(id);
      return part === undefined ? [] : (this.#value(part, undefined, depth + 1) ?? []);
    });
  }

  #property(entity: ForeignEntity, parameter: ForeignEntity | undefined, depth: number): CwlValue | undefined {
    const parts = referencesOf(entity, "value").flatMap((id) => this.#graph.entity(id) ?? []);
    if (parts.length > 0) {
      const values = parts.map(
        (part) => [textOf(part, "name") ?? lastPart(part.id), this.#value(part, undefined, depth + 1) ?? null] as const,
      );
      const isRecord = parts.every((part) => part.types.has("PropertyValue"));
      return isRecord ? Object.fromEntries(values) : values.map(([, value]) => value);
    }
    const plain = plainValuesOf(entity, "value").map((value) => typed(value, textOf(parameter, "additionalType")));
    return plain.length === 1 ? plain[0] : plain;
  }
}

const FILE = safeName("file");

/** The original name is the end of `alternateName`, if the crate renamed the file. */
function nameOf(entity: ForeignEntity): SafeName {
  const text = textOf(entity, "alternateName") ?? lastPart(entity.id);
  return toSafeName(decoded(text.replace(/\/+$/, "").split("/").at(-1) ?? "")) ?? FILE;
}

export function portName(parameter: ForeignEntity | undefined, value?: ForeignEntity): string {
  const isNamed = parameter !== undefined || value?.types.has("PropertyValue") === true;
  const name = textOf(parameter, "name") ?? (parameter === undefined ? textOf(value, "name") : lastPart(parameter.id));
  return (isNamed ? name?.replace(/[\s/#]+/g, "_").slice(0, 100) : undefined) ?? UNASSIGNED;
}

function isMultiple(parameter: ForeignEntity | undefined): boolean {
  return textOf(parameter, "multipleValues")?.toLowerCase() === "true";
}

/** Converts a string of the crate to the type of its parameter. */
function typed(value: string | number | boolean, type: string | undefined): CwlValue {
  if (typeof value !== "string") return value;
  const number = Number(value);
  if ((type === "Integer" || type === "Float" || type === "Number") && value.trim() !== "" && Number.isFinite(number))
    return /^[+-]?\d+$/.test(value) ? wholeNumber(value) : number;
  if (type === "Boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}
