import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { link, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { namedTokenSchema, newTokenText, tokenHash } from "./named-token.ts";
import type { NamedToken } from "./named-token.ts";

const SUFFIX = ".json";

/** Where the named tokens of a state folder are: a file each, so that two commands at once lose nothing. */
export function tokenFolderPath(stateFolder: string): string {
  return join(stateFolder, "tokens");
}

export interface TokenFolderContent {
  /** By name. */
  readonly tokens: readonly NamedToken[];
  /** Names of files that hold no token; nobody gets in by them. */
  readonly broken: readonly string[];
}

/** Reads all tokens; a folder that is not there has none. */
export function readTokenFolder(folder: string): TokenFolderContent {
  if (!existsSync(folder)) return { tokens: [], broken: [] };
  const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  const read = names.toSorted().map((name) => ({ name, token: readToken(join(folder, name)) }));
  return {
    tokens: read.flatMap(({ name, token }) => (token !== undefined && fileNameOf(token.name) === name ? [token] : [])),
    broken: read.flatMap(({ name, token }) => (token === undefined || fileNameOf(token.name) !== name ? [name] : [])),
  };
}

/** Makes a token; undefined where there is one of this name. The answer is the only time that its text is seen. */
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
    // A link, unlike a rename, does not take the place of what is there.
    const isNew = await link(partial, join(folder, fileNameOf(name))).then(() => true, existsAlready);
    return isNew ? { text, token } : undefined;
  } finally {
    await rm(partial, { force: true });
    await syncFolder(folder);
  }
}

/** False where there is no token of this name. */
export async function removeToken(folder: string, name: string): Promise<boolean> {
  const path = join(folder, fileNameOf(name));
  if (!existsSync(path)) return false;
  await rm(path);
  // A token that a loss of power brought back would be worse than one that it took away.
  await syncFolder(folder);
  return true;
}

function fileNameOf(name: string): string {
  return name + SUFFIX;
}

/** Undefined for a file that is not a token, or that was removed after its name was read. */
function readToken(path: string): NamedToken | undefined {
  try {
    const parsed = namedTokenSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.data;
  } catch {
    return undefined;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

function existsAlready(error: unknown): false {
  if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
  throw error;
}
