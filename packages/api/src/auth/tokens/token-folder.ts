import { existsAlready } from "./access-token.ts";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncToDisk, writeDurably } from "@weft/engine/files/write-durably.ts";
import { namedTokenSchema, newTokenText, tokenHash, type NamedToken } from "./named-token.ts";

const SUFFIX = ".json";

/** The folder of a state folder's named tokens: one file each, so that concurrent commands lose nothing. */
export function tokenFolderPath(stateFolder: string): string {
  return join(stateFolder, "tokens");
}

export interface TokenFolderContent {
  /** The tokens, sorted by name. */
  readonly tokens: readonly NamedToken[];
  /** Names of files that do not contain a token; they grant no access. */
  readonly broken: readonly string[];
}

/** Reads all tokens; a missing folder has none. */
export function readTokenFolder(folder: string): TokenFolderContent {
  if (!existsSync(folder)) return { tokens: [], broken: [] };
  const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  const read = names.toSorted().map((name) => ({ name, token: readToken(join(folder, name)) }));
  return {
    tokens: read.flatMap(({ name, token }) => (token !== undefined && fileNameOf(token.name) === name ? [token] : [])),
    broken: read.flatMap(({ name, token }) => (token === undefined || fileNameOf(token.name) !== name ? [name] : [])),
  };
}

/** Creates a token; undefined if the name is taken. The token's text is not stored: it appears only in the result. */
export async function addToken(
  folder: string,
  { name, role, expires_at }: Pick<NamedToken, "name" | "role" | "expires_at">,
): Promise<{ readonly text: string; readonly token: NamedToken } | undefined> {
  const text = newTokenText();
  const token = { name, role, sha256: tokenHash(text), created_at: new Date().toISOString(), expires_at };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, `.${randomUUID()}`);
  try {
    await writeDurably(partial, `${JSON.stringify(token)}\n`);
    // A link, unlike a rename, does not replace an existing file.
    const isNew = await link(partial, join(folder, fileNameOf(name))).then(() => true, existsAlready);
    return isNew ? { text, token } : undefined;
  } finally {
    await rm(partial, { force: true });
    await syncToDisk(folder);
  }
}

/** False if no token has this name. */
export async function removeToken(folder: string, name: string): Promise<boolean> {
  const path = join(folder, fileNameOf(name));
  if (!existsSync(path)) return false;
  await rm(path);
  // A power failure must not bring back a removed token; the loss of a new one would be less serious.
  await syncToDisk(folder);
  return true;
}

function fileNameOf(name: string): string {
  return name + SUFFIX;
}

/** Reads a token; undefined for any other file, or if it was removed in the meantime. */
function readToken(path: string): NamedToken | undefined {
  try {
    const parsed = namedTokenSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.data;
  } catch {
    return undefined;
  }
}
