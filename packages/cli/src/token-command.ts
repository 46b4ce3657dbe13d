import { existsSync } from "node:fs";
import { join } from "node:path";
import { tokenNameSchema } from "@weft/api/auth/tokens/named-token.ts";
import { addToken, readTokenFolder, removeToken, tokenFolderPath } from "@weft/api/auth/tokens/token-folder.ts";
import { ROLES } from "@weft/shared/records/role.ts";
import type { Role } from "@weft/shared/records/role.ts";
import { EXIT } from "./exit-codes.ts";
import { readSettings } from "./read-settings.ts";
import type { Settings } from "./read-settings.ts";
import { tokenTable } from "./token-table.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS = {
  state: { type: "string" },
  name: { type: "string" },
  role: { type: "string" },
  expires: { type: "string" },
} as const;

const DEFAULT_LIFE = "90d";
const UNITS_MS = { h: 3_600_000, d: 86_400_000 } as const;

/** Makes, lists and revokes the named tokens of a state folder; a running server heeds it at once. */
export async function tokenCommand(args: readonly string[]): Promise<number> {
  const settings = readSettings(args, FLAGS);
  const [action, ...rest] = settings.positionals;
  const folder = tokenFolder(settings);
  switch (action) {
    case "create":
      return createToken(folder, settings, rest);
    case "list":
      return listTokens(folder);
    case "revoke":
      return revokeToken(folder, rest);
    default:
      throw new UsageError(`token takes create, list or revoke, not "${action ?? ""}"`);
  }
}

/** A folder that was mistyped must not come into being with a token in it. */
function tokenFolder(settings: Settings): string {
  const state = settings.text("state") ?? ".weft";
  if (existsSync(join(state, "weft.db"))) return tokenFolderPath(state);
  throw new UsageError(
    `there is no state folder of Weft at ${state}; say where it is with --state, or start the server once`,
  );
}

async function createToken(folder: string, settings: Settings, rest: readonly string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`token create takes no "${rest[0]}"; the name is given by --name`);
  const name = readName(settings.text("name"));
  const role = readRole(settings.text("role"));
  const expiresAt = readEnd(settings.text("expires") ?? DEFAULT_LIFE);
  const made = await addToken(folder, { name, role, expires_at: expiresAt });
  if (made === undefined) {
    process.stderr.write(`weft: there is a token "${name}" already; revoke it first, or choose another name\n`);
    return EXIT.failure;
  }
  process.stdout.write(`${made.text}\n`);
  process.stderr.write(
    `Token "${name}" (${role}) ${expiresAt === null ? "does not end by itself" : `ends at ${expiresAt}`}. It is shown this once.\n`,
  );
  return EXIT.success;
}

function listTokens(folder: string): number {
  const { tokens, broken } = readTokenFolder(folder);
  process.stdout.write(tokenTable(tokens, Date.now()));
  for (const name of broken) process.stderr.write(`weft: ${join(folder, name)} holds no token\n`);
  return broken.length === 0 ? EXIT.success : EXIT.failure;
}

async function revokeToken(folder: string, [name, ...more]: readonly string[]): Promise<number> {
  if (name === undefined || more.length > 0) throw new UsageError("token revoke needs the name of one token");
  if (await removeToken(folder, readName(name))) {
    process.stderr.write(`Token "${name}" is revoked; browsers that were signed in with it are signed out.\n`);
    return EXIT.success;
  }
  process.stderr.write(`weft: there is no token "${name}"; see "weft token list"\n`);
  return EXIT.failure;
}

function readName(text: string | undefined): string {
  if (text === undefined) throw new UsageError("token create needs --name");
  if (tokenNameSchema.safeParse(text).success) return text;
  throw new UsageError(
    `"${text}" cannot be the name of a token: 1 to 64 of a-z, 0-9, ".", "_", "@" and "-", beginning and ending with a letter or digit; local, engine, server and anonymous are Weft's own`,
  );
}

function readRole(text: string | undefined): Role {
  const role = ROLES.find((candidate) => candidate === text);
  if (role !== undefined) return role;
  throw new UsageError(
    `--role must be ${ROLES.slice(0, -1).join(", ")} or ${ROLES.at(-1)}${text === undefined ? "" : `, not "${text}"`}`,
  );
}

/** When it ends; null: not by itself. */
function readEnd(text: string): string | null {
  if (text === "never") return null;
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`--expires must be like 12h, 90d or never, not "${text}"`);
  return new Date(Date.now() + Number(count) * UNITS_MS[unit === "h" ? "h" : "d"]).toISOString();
}
