import type { ProvDocument, ProvSection, ProvStatement, ProvValue } from "./prov-document.ts";

/** The positional arguments of each statement, in order (W3C PROV-N, section 3). Everything else is an attribute. */
const PLACES: readonly (readonly [keyof ProvDocument, readonly string[]])[] = [
  ["entity", []],
  ["activity", ["prov:startTime", "prov:endTime"]],
  ["agent", []],
  ["used", ["prov:activity", "prov:entity", "prov:time"]],
  ["wasGeneratedBy", ["prov:entity", "prov:activity", "prov:time"]],
  ["wasAssociatedWith", ["prov:activity", "prov:agent", "prov:plan"]],
  ["wasStartedBy", ["prov:activity", "prov:trigger", "prov:starter", "prov:time"]],
  ["wasDerivedFrom", ["prov:generatedEntity", "prov:usedEntity"]],
  ["specializationOf", ["prov:specificEntity", "prov:generalEntity"]],
];

/** A PROV document in PROV-N, W3C's notation for human readers. */
export function provN(document: ProvDocument): string {
  const prefixes = Object.entries(document.prefix).map(([prefix, uri]) => `  prefix ${prefix} <${uri}>`);
  const statements = PLACES.flatMap(([kind, places]) =>
    Object.entries(document[kind] as ProvSection).map(([id, statement]) =>
      // every part listed above is a section
      statementText(kind, { id, statement, places }),
    ),
  );
  return ["document", ...prefixes, ...statements, "endDocument", ""].join("\n");
}

interface StatementParts {
  readonly id: string;
  readonly statement: ProvStatement;
  readonly places: readonly string[];
}

/** Relations have no ids here: blank ones carry no meaning. */
function statementText(kind: string, { id, statement, places }: StatementParts): string {
  const subject = id.startsWith("_:") ? [] : [qualifiedName(id)];
  const placed = places.map((place) => placeText(place, statement[place]));
  const attributes = Object.entries(statement)
    .filter(([key]) => !places.includes(key))
    .map(([key, value]) => `${key}=${literal(value)}`);
  const listed = attributes.length === 0 ? [] : [`[${attributes.join(", ")}]`];
  return `  ${kind}(${[...subject, ...placed, ...listed].join(", ")})`;
}

/** Times are literals, every other positional argument is a name. */
function placeText(place: string, value: ProvValue | undefined): string {
  if (value === undefined) return "-";
  const text = typeof value === "object" ? value.$ : String(value);
  return /time$/i.test(place) ? text : qualifiedName(text);
}

function literal(value: ProvValue): string {
  if (typeof value === "number") return `"${value}" %% xsd:${Number.isInteger(value) ? "long" : "double"}`;
  if (typeof value === "object") return `'${qualifiedName(value.$)}'`;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${escaped}"`;
}

/**
 * W3C PROV-N, 3.7.1: escapes characters with a meaning in the notation, and percent-encodes those that a name cannot
 * contain.
 */
function qualifiedName(text: string): string {
  const colon = text.indexOf(":");
  const local = text
    .slice(colon + 1)
    .replace(/[^\w\p{L}\p{N}/@~&+*?#$!%.\-=\\'(),:;[\]]/gu, (sign) => encodeURIComponent(sign))
    .replace(/[=\\'(),:;[\]]/g, (sign) => (sign === "\\" ? "%5C" : `\\${sign}`))
    .replace(/\.$/, "\\.");
  return `${text.slice(0, colon)}:${local}`;
}
