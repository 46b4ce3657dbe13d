import { escapePath, pathToUri } from "./file-uri.ts";

/**
 * Resolves a URI reference as written in a document (`tool.cwl`, `../data/a b.txt`, `#main`, `https://…`) against the
 * URI of that document. Characters that a URI must not contain are percent-encoded, even if the URL parser would drop
 * them; undefined if the result is not a URI.
 */
export function resolveReference(reference: string, baseUri: string): string | undefined {
  if (/^(?!file:)[a-z][a-z0-9+.-]*:/i.test(reference)) return URL.parse(reference, baseUri)?.href;
  // Block texts in YAML end with a line break.
  const escaped = reference.replace(/[\r\n]+$/, "").replace(/[\0-\x20]/g, encodeURIComponent);
  return URL.parse(escaped, baseUri)?.href;
}

/** Resolves a path of a file system (where `%`, `?` and `#` are ordinary characters) against the URI of a document. */
export function resolvePath(path: string, baseUri: string): string | undefined {
  // Two slashes at the start do not name a host.
  if (path.startsWith("/") && baseUri.startsWith("file:")) return pathToUri(path);
  const escaped = escapePath(path);
  // A first segment with a colon would be read as a scheme.
  return resolveReference(/^[^/]*:/.test(escaped) ? `./${escaped}` : escaped, baseUri);
}

/** The URI without its fragment. */
export function withoutFragment(uri: string): string {
  const hash = uri.indexOf("#");
  return hash === -1 ? uri : uri.slice(0, hash);
}

/** The part after `#`; empty if the URI has no fragment. */
export function fragmentOf(uri: string): string {
  const hash = uri.indexOf("#");
  return hash === -1 ? "" : uri.slice(hash + 1);
}

/**
 * The absolute URI of an identifier that a document declares: `main`, `#main` and `file.cwl#main` are equivalent.
 * CWL v1.2 SchemaSalad.html#Identifier_resolution.
 */
export function identifierUri(identifier: string, documentUri: string): string {
  const isReference = identifier.includes("#") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(identifier);
  return resolveReference(isReference ? identifier : `#${identifier}`, documentUri) ?? identifier;
}

/** The last part of an identifier: `#main/step/out` becomes `out`. */
export function shortName(identifier: string): string {
  const scoped = identifier.includes("#") ? fragmentOf(identifier) : identifier;
  return scoped.slice(scoped.lastIndexOf("/") + 1);
}

/**
 * The shortest reference from a document to a URI, relative to the document's folder. A URI with another host or another
 * first folder stays absolute: no folder that can be moved contains both.
 */
export function relativeReference(uri: string, documentUri: string): string {
  const [target, base] = [URL.parse(uri), URL.parse(documentUri)];
  if (target === null || base === null || target.protocol !== base.protocol || target.host !== base.host) return uri;
  const to = target.pathname.split("/");
  const from = base.pathname.split("/").slice(0, -1);
  const shared = sharedLength(to.slice(0, -1), from);
  if (shared < 2 && from.length > 1) return uri;
  const path = [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
  const safe = path === "" || /^[^/]*:/.test(path) ? `./${path}` : path;
  return safe + target.search + target.hash;
}

function sharedLength(left: readonly string[], right: readonly string[]): number {
  const difference = left.findIndex((segment, index) => segment !== right[index]);
  return difference === -1 ? Math.min(left.length, right.length) : difference;
}
