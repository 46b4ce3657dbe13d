import type { CwlValue } from "../model/cwl-value.ts";
import { resolvePath, resolveReference } from "./resolve-reference.ts";

interface ValueBase {
  readonly baseUri: string;
  /** Prefixes that may stand in `format`. */
  readonly namespaces: ReadonlyMap<string, string>;
}

interface ResolvedValue {
  readonly value: CwlValue;
  /** What is wrong with the File or Directory, in words. */
  readonly problem?: string;
}

type ObjectValue = { readonly [field: string]: CwlValue };

/**
 * Makes one File or Directory object absolute: `location` is resolved as a URI reference, `path` as a path and put into
 * `location`, `format` loses its prefix. Other maps come back as they are; so do literals (`contents`, `listing`).
 */
export function resolveFileValue(value: ObjectValue, base: ValueBase): ResolvedValue {
  if (value["class"] !== "File" && value["class"] !== "Directory") return { value };
  const { path, ...rest } = value;
  const location = value["location"] ?? undefined;
  const resolved: { [field: string]: CwlValue } = Object.assign(Object.create(null), rest);
  if (typeof value["format"] === "string") resolved["format"] = expandFormat(value["format"], base.namespaces);
  if (location === undefined && (path ?? undefined) === undefined) {
    delete resolved["location"];
    return isLiteral(value)
      ? { value: resolved }
      : {
          value: resolved,
          problem: `a ${value["class"]} needs \`location\`, \`path\` or ${literalField(value)}`,
        };
  }
  const absolute =
    location === undefined
      ? resolveText(path, base.baseUri, resolvePath)
      : resolveText(location, base.baseUri, resolveLocation);
  if (absolute === undefined) return { value: resolved, problem: `the ${value["class"]} has a wrong location` };
  resolved["location"] = absolute;
  return { value: resolved };
}

function isLiteral(value: ObjectValue): boolean {
  return value["class"] === "File" ? typeof value["contents"] === "string" : Array.isArray(value["listing"]);
}

function literalField(value: ObjectValue): string {
  return value["class"] === "File" ? "`contents`" : "`listing`";
}

function resolveText(
  text: CwlValue | undefined,
  baseUri: string,
  resolve: (text: string, baseUri: string) => string | undefined,
) {
  return typeof text === "string" ? resolve(text, baseUri) : undefined;
}

/** `_:` names a literal that has no address. */
function resolveLocation(location: string, baseUri: string): string | undefined {
  return location.startsWith("_:") ? location : resolveReference(location, baseUri);
}

function expandFormat(format: string, namespaces: ReadonlyMap<string, string>): string {
  const colon = format.indexOf(":");
  const namespace = colon === -1 ? undefined : namespaces.get(format.slice(0, colon));
  return namespace === undefined ? format : namespace + format.slice(colon + 1);
}
