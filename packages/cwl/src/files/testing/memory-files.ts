import { createHash } from "node:crypto";
import type { FileAccess, FileStat, FolderEntry } from "../file-access.ts";
import { decodeUtf8 } from "../../values/decode-utf8.ts";
import { joinUri, pathOfUri, pathToUri } from "../../values/file-uri.ts";

/** Path to content: a text or bytes are a file, null a folder, `{ link }` a symbolic link, `{ special }` a device. Creates parents. */
export type MemoryTree = {
  readonly [path: string]:
    | string
    | null
    | { readonly bytes: Uint8Array }
    | { readonly link: string }
    | { readonly special: true };
};

/** A file system in memory with the semantics of a real one as far as FileAccess exposes them. */
export function createMemoryFiles(tree: MemoryTree): FileAccess {
  const nodes = new Map<string, MemoryTree[string]>([["", null]]);
  for (const [path, node] of Object.entries(tree)) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      if (!nodes.has(path.slice(0, at))) nodes.set(path.slice(0, at), null);
    nodes.set(path, node);
  }
  const realPath = (path: string, hops = 0): string | undefined => {
    let real = "";
    for (const segment of path.split("/").slice(1)) {
      const node = nodes.get(`${real}/${segment}`);
      if (node === undefined || hops > 20) return undefined;
      const isLink = typeof node === "object" && node !== null && "link" in node;
      const next = isLink
        ? realPath(pathOfUri(new URL(node.link, `file://${real}/`).href), hops + 1)
        : `${real}/${segment}`;
      if (next === undefined) return undefined;
      real = next;
    }
    return real;
  };
  const statAt = (path: string): FileStat | undefined => {
    const real = realPath(path);
    const node = real === undefined ? undefined : nodes.get(real);
    if (node === undefined) return undefined;
    if (isFile(node)) return { kind: "file", size: bytesOf(node).length };
    return { kind: node === null ? "directory" : "other", size: 0 };
  };
  const bytesAt = (uri: string): Uint8Array => {
    const node = nodes.get(realPath(pathOfUri(uri)) ?? "?");
    if (!isFile(node)) throw new Error(`no file at ${uri}`);
    return bytesOf(node);
  };
  return {
    stat: async (uri) => statAt(pathOfUri(uri)),
    list: async (uri) => {
      const folder = realPath(pathOfUri(uri)) ?? "?";
      const names = [...nodes.keys()].filter(
        (path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/"),
      );
      return names.toSorted().map((path): FolderEntry => {
        const name = path.slice(folder.length + 1);
        return { name, uri: joinUri(uri, name), ...(statAt(path) ?? { kind: "other", size: 0 }) };
      });
    },
    readText: async (uri, maxBytes) =>
      decodeUtf8(bytesAt(uri).subarray(0, maxBytes), { isCut: bytesAt(uri).length > maxBytes }),
    checksum: async (uri) => `sha1$${createHash("sha1").update(bytesAt(uri)).digest("hex")}`,
    realUri: async (uri) => {
      const real = realPath(pathOfUri(uri));
      return real === undefined ? undefined : pathToUri(real);
    },
  };
}

/** A File as Weft describes it. */
export function described(location: string, size: number, more: object = {}) {
  const basename = location.slice(location.lastIndexOf("/") + 1);
  const period = basename.lastIndexOf(".");
  const nameroot = period < 1 ? basename : basename.slice(0, period);
  return { class: "File", location, basename, nameroot, nameext: basename.slice(nameroot.length), size, ...more };
}

type Content = string | { readonly bytes: Uint8Array };

function isFile(node: MemoryTree[string] | undefined): node is Content {
  return typeof node === "string" || (typeof node === "object" && node !== null && "bytes" in node);
}

function bytesOf(content: Content): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content.bytes;
}
