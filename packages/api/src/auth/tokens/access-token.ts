import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ServerConfigurationError } from "../../address/server-configuration-error.ts";

const FILE_NAME = "access-token";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The path of a state folder's access token. */
export function accessTokenPath(stateFolder: string): string {
  return join(stateFolder, FILE_NAME);
}

/**
 * Reads the access token of a state folder. Creates one from 32 random bytes if it is missing, in a file that only the
 * owner can read. Throws ServerConfigurationError if others can read it or it is not a token.
 */
export async function openAccessToken(stateFolder: string): Promise<string> {
  const path = accessTokenPath(stateFolder);
  const made = randomBytes(32).toString("base64url");
  const isNew = await writeFile(path, `${made}\n`, { flag: "wx", mode: 0o600 }).then(() => true, existsAlready);
  if (isNew) return made;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0)
    throw new ServerConfigurationError(
      `Other accounts can read the access token ${path}. Delete it so that Weft makes a new one, or run: chmod 600 ${path}`,
    );
  const token = (await readFile(path, "utf8")).trim();
  if (TOKEN.test(token)) return token;
  throw new ServerConfigurationError(`${path} contains no access token. Delete it so that Weft makes a new one.`);
}

/** False for the error about a file that exists already. */
export function existsAlready(error: unknown): false {
  if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
  throw error;
}
