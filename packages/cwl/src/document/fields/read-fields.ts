/**
 * Reads the objects of a document by tables. There is one table for each kind of object, which maps the name of a field to
 * its reader and says whether the field is required. The tables follow the schema of the specification; other fields are
 * errors.
 */
import { isSinceVersion, type CwlVersion } from "../../model/cwl-version.ts";
import { positionOf, type MappingEntry, type MappingNode } from "../yaml/yaml-node.ts";
import { isExtensionField } from "./extension-field.ts";
import { infoOf, type FieldInfo } from "./field-info.ts";
import { homeHint } from "./field-homes.ts";
import { isSince, report, within, type Reader, type Scope } from "./scope.ts";
import { suggest, suggestionHint } from "../../suggest.ts";

export interface Field<T, S extends Scope = Scope> {
  readonly read: Reader<T, S>;
  readonly required: boolean;
  /** First and last version of CWL that have the field. */
  readonly since: CwlVersion;
  readonly until: CwlVersion;
  /** Description for editors; absent for a field that newer versions lack. */
  readonly info: FieldInfo | undefined;
}

export type FieldTable<S extends Scope = Scope> = { readonly [name: string]: Field<unknown, S> };

/** The values of a table's fields; undefined if a field is absent or wrong. */
export type FieldValues<F> = {
  readonly [K in keyof F]: F[K] extends Field<infer T, never> ? T | undefined : never;
};

interface FieldOptions extends Partial<FieldInfo> {
  readonly since?: CwlVersion;
  readonly until?: CwlVersion;
}

/** The description of a field, and further options. */
type About = readonly [options?: FieldOptions] | readonly [doc: string, more?: FieldOptions];

const LATEST: CwlVersion = "v1.3.0-dev1";

export function required<T, S extends Scope = Scope>(read: Reader<T, S>, ...about: About): Field<T, S> {
  return { ...describedField(read, about), required: true };
}

export function optional<T, S extends Scope = Scope>(read: Reader<T, S>, ...about: About): Field<T, S> {
  return { ...describedField(read, about), required: false };
}

function describedField<T, S extends Scope>(read: Reader<T, S>, [first, more]: About) {
  const options: FieldOptions = typeof first === "string" ? { doc: first, ...more } : { ...first };
  const { since = "v1.0", until = LATEST, ...told } = options;
  return { read, since, until, info: until === LATEST ? infoOf(read, told) : undefined };
}

/** Reads every field of a mapping by its table; reports unknown, missing and wrong ones. */
export function readFields<S extends Scope, const F extends FieldTable<S>>(
  node: MappingNode,
  fields: F,
  scope: S,
): FieldValues<F> {
  const values: Record<string, unknown> = Object.create(null);
  for (const entry of node.entries) {
    const field = knownField(entry, fields, scope);
    if (field === undefined) continue;
    const isNothing = entry.value.kind === "scalar" && entry.value.value === null;
    if (isNothing && !field.required && !READS_NULL.has(field.read)) continue;
    values[entry.key] = field.read(entry.value, within(scope, entry.key));
  }
  reportMissing(node, fields, scope);
  // The keys come from the document, so the compiler cannot see that each value was read by the field of its name.
  return values as FieldValues<F>;
}

const READS_NULL = new WeakSet<object>();

/** Marks a reader for which `null` is a value; for other readers, `field: null` means that the field is absent. */
export function readingNull<R extends Reader<unknown, never>>(reader: R): R {
  READS_NULL.add(reader);
  return reader;
}

function knownField<S extends Scope>(
  entry: MappingEntry,
  fields: FieldTable<S>,
  scope: S,
): Field<unknown, S> | undefined {
  const field = Object.hasOwn(fields, entry.key) ? fields[entry.key] : undefined;
  if (field !== undefined) return isInVersion(field, scope) ? field : wrongVersion(entry, field, scope);
  if (isExtensionField(entry, scope) || isIgnoredField(entry, scope)) return undefined;
  const candidates = Object.entries(fields)
    .filter(([name, known]) => !name.startsWith("$") && isInVersion(known, scope))
    .map(([name]) => name);
  const message = `unknown field \`${entry.key}\``;
  return report(scope, entry.keyNode, {
    code: "unknown-field",
    message,
    hint: homeHint(entry.key) ?? suggestionHint(entry.key, candidates),
  });
}

const DIRECTIVES = ["$graph", "$namespaces", "$schemas", "$base", "$import", "$include"];

/**
 * Any object may have an `id`, and unknown directives must be ignored; a likely spelling mistake is reported. CWL v1.2
 * CommandLineTool.html#Identifiers, SchemaSalad.html#Explicit_context.
 */
function isIgnoredField({ key, keyNode }: MappingEntry, scope: Scope): boolean {
  if (key === "id") return true;
  if (key !== "name" && !key.startsWith("$")) return false;
  const near = key === "name" ? undefined : suggest(key, DIRECTIVES);
  const hint = near === undefined ? undefined : `did you mean \`${near}\`?`;
  const message = `\`${key}\` has no meaning here and is ignored`;
  if (key === "name" || near !== undefined)
    report(scope, keyNode, { severity: "warning", code: "ignored-field", message, hint });
  return true;
}

function isInVersion(field: Field<unknown, never>, scope: Scope): boolean {
  return isSince(scope, field.since) && isSinceVersion(field.until, scope.version);
}

function wrongVersion(entry: MappingEntry, field: Field<unknown, never>, scope: Scope): undefined {
  const message = `CWL ${scope.version} has no field \`${entry.key}\` here`;
  const hint = isSince(scope, field.since)
    ? `${field.until} was the last version with it`
    : `CWL ${field.since} introduced it: write \`cwlVersion: ${field.since}\``;
  return report(scope, entry.keyNode, { code: "field-version", message, hint });
}

function reportMissing(node: MappingNode, fields: FieldTable<never>, scope: Scope): void {
  for (const [name, field] of Object.entries(fields)) {
    if (!field.required || !isInVersion(field, scope)) continue;
    if (node.entries.some((entry) => entry.key === name)) continue;
    report(scope, node, {
      code: "missing-field",
      message: `the field \`${name}\` is missing`,
      hint: missingHint(name, node, fields),
    });
  }
}

/** A misspelled field is both unknown and missing; the hint connects the two. */
function missingHint(name: string, node: MappingNode, fields: FieldTable<never>): string | undefined {
  if (node.entries.length === 1) return "put its fields on the next lines and indent them";
  const unknown = node.entries.filter((entry) => !Object.hasOwn(fields, entry.key) && !entry.key.includes(":"));
  const near = suggest(
    name,
    unknown.map(({ key }) => key),
  );
  const entry = unknown.find(({ key }) => key === near);
  return entry === undefined
    ? undefined
    : `\`${entry.key}\` on line ${positionOf(entry.keyNode).line} is not a field of this object`;
}
