import { resolvePath, resolveReference } from "./resolve-reference.ts";

interface ValueBase {
  readonly baseUri: string;
  /** Prefixes that `format` may use. */
  readonly namespaces: ReadonlyMap<string, string>;
}

interface ResolvedValue {
  readonly value: ObjectValue;
  /** The problem with the File or Directory, as a sentence. */
  readonly problem?: string;
}

/** An unchecked object from outside. */
type ObjectValue = { readonly [field: string]: unknown };

/**
 * Makes one File or Directory object absolute: resolves `location` as a URI reference, moves `path` to `location`, and
 * expands the prefix of `format`. Returns other maps and literals (`contents`, `listing`) unchanged. Omits invalid fields.
 */
export function resolveFileValue(value: ObjectValue, base: ValueBase): ResolvedValue {
  if (value["class"] !== "File" && value["class"] !== "Directory") return { value };
  const parts = value["class"] === "File" ? "secondaryFiles" : "listing";
  const { [parts]: list, ...rest } = value;
  if (list === undefined || areFiles(list)) return resolveAddress(value, base);
  const resolved = resolveAddress(rest, base);
  const problem = `\`${parts}\` must be a list of File and Directory objects`;
  return list === null ? resolved : { value: resolved.value, problem: resolved.problem ?? problem };
}

function areFiles(list: unknown): boolean {
  const isFile = (item: unknown) =>
    typeof item === "object" &&
    item !== null &&
    "class" in item &&
    (item.class === "File" || item.class === "Directory");
  return Array.isArray(list) && list.every(isFile);
}

function resolveAddress(value: ObjectValue, base: ValueBase): ResolvedValue {
  const { path, ...rest } = value;
  const location = value["location"] ?? undefined;
  const resolved: { [field: string]: unknown } = Object.assign(Object.create(null), rest);
  if (typeof value["format"] === "string") resolved["format"] = expandFormat(value["format"], base.namespaces);
  if (location === undefined && (path ?? undefined) === undefined) {
    delete resolved["location"];
    return isLiteral(value)
      ? { value: resolved }
      : {
          value: resolved,
          problem: `a ${String(value["class"])} needs \`location\`, \`path\` or ${literalField(value)}`,
        };
  }
  const absolute =
    location === undefined
      ? resolveText(path, base.baseUri, resolvePath)
      : resolveText(location, base.baseUri, resolveLocation);
  if (absolute === undefined) {
    delete resolved["location"];
    return { value: resolved, problem: `the ${String(value["class"])} has a wrong location` };
  }
  resolved["location"] = absolute;
  return { value: resolved };
}

function isLiteral(value: ObjectValue): boolean {
  return value["class"] === "File" ? typeof value["contents"] === "string" : Array.isArray(value["listing"]);
}

function literalField(value: ObjectValue): string {
  return value["class"] === "File" ? "`contents`" : "`listing`";
}

function resolveText(text: unknown, baseUri: string, resolve: (text: string, baseUri: string) => string | undefined) {
  return typeof text === "string" ? resolve(text, baseUri) : undefined;
}

/** `_:` names a literal that has no address. */
function resolveLocation(location: string, baseUri: string): string | undefined {
  if (location.startsWith("_:")) return location;
  const isElsewhere = /^(?!file:)[a-z][a-z0-9+.-]*:/i.test(location);
  return resolveReference(isElsewhere ? location : location.replace(/[\r\n\\]/g, encodeURIComponent), baseUri);
}

function expandFormat(format: string, namespaces: ReadonlyMap<string, string>): string {
  const colon = format.indexOf(":");
  const namespace = colon === -1 ? undefined : namespaces.get(format.slice(0, colon));
  return namespace === undefined ? format : namespace + format.slice(colon + 1);
}
