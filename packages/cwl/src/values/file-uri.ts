/**
 * The conversions between paths of a file system and URIs. Both `new URL()` and Node's `pathToFileURL()` drop spaces or
 * control characters at the end, and read a first folder `C|` as a drive, so the URI would name another file. Therefore,
 * the characters that cause this, and those with a meaning in URIs, are escaped before a URL parser sees the path.
 */
const ESCAPED = /[\0-\x20%?#\\|\x7f]/g;

/** Escapes a relative file system path, in which `%`, `?` and `#` are ordinary characters, for use in a URI. */
export function escapePath(relativePath: string): string {
  return relativePath.replace(ESCAPED, encodeURIComponent);
}

/** The part that `joinUri` appends to a URI for a relative path. */
export function relativeUri(relativePath: string): string {
  return pathToUri(`/${relativePath}`).slice("file:///".length);
}

/** The URI of a path relative to a folder. */
export function joinUri(folderUri: string, relativePath: string): string {
  const folder = folderUri.endsWith("/") ? folderUri : `${folderUri}/`;
  return new URL(folder + escapePath(relativePath)).href;
}

/** The `file:` URI of an absolute path. */
export function pathToUri(path: string): string {
  return joinUri("file:///", path.replace(/^\/+/, ""));
}

/** The last part of a URI's path, decoded: the name of the file or folder. */
export function nameOfUri(uri: string): string {
  const path = withoutSlash(uri.split(/[?#]/, 1)[0] ?? uri);
  return decodePercent(path.slice(path.lastIndexOf("/") + 1));
}

/** The decoded path of a URI without a trailing slash, so that different spellings of one URI compare equal. */
export function pathOfUri(uri: string): string {
  const path = decodePercent(withoutSlash(/^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/is.exec(uri)?.[1] ?? uri));
  return uri.startsWith("file:") ? path.replace(/\/{2,}/g, "/") : path;
}

/** True if `uri` is the folder itself or is inside it. Neither is resolved: no `..`, no symbolic links. */
export function isWithin(uri: string, folderUri: string): boolean {
  const path = pathOfUri(uri);
  const folder = pathOfUri(folderUri);
  return path === folder || path.startsWith(`${folder}/`);
}

/** A sentence that says why a `file:` URI cannot name a file on this machine; undefined if it can. */
export function fileUriProblem(uri: string): string | undefined {
  // A fast path for nearly every URI; parsing costs much more.
  if (/^file:\/\/\/[^%]*$/.test(uri)) return undefined;
  const url = URL.parse(uri);
  if (url === null) return `\`${uri}\` is not an absolute URI`;
  if (url.host !== "") return `\`${uri}\` names a file of another machine (\`${url.host}\`)`;
  if (/%(?![0-9a-f]{2})|%2f|%00/i.test(uri)) return `\`${uri}\` has a wrong percent escape`;
  return isUtf8(uri) ? undefined : `\`${uri}\` names a file whose name is not UTF-8`;
}

/** Whether all escapes are UTF-8: names with replacement characters would be ambiguous. */
function isUtf8(uri: string): boolean {
  try {
    decodeURIComponent(uri);
    return true;
  } catch {
    return false;
  }
}

function withoutSlash(uri: string): string {
  let end = uri.length;
  while (end > 1 && uri.charCodeAt(end - 1) === SLASH) end--;
  return end === uri.length ? uri : uri.slice(0, end);
}

const SLASH = "/".charCodeAt(0);

/** Unlike decodeURIComponent, never throws: invalid escapes stay, bytes that are not UTF-8 become U+FFFD. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = escapes
      .slice(1)
      .split("%")
      .map((byte) => Number.parseInt(byte, 16));
    return new TextDecoder().decode(new Uint8Array(bytes));
  });
}
