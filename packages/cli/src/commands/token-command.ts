import { join } from "node:path";
import { tokenNameSchema, endOf, type NamedToken } from "@weft/api/auth/tokens/named-token.ts";
import { addToken, readTokenFolder, removeToken, tokenFolderPath } from "@weft/api/auth/tokens/token-folder.ts";
import { ROLES } from "@weft/shared/records/role.ts";
import { writeLine } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { alignedLines } from "../output/result-text.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";

const DEFAULT_LIFE = "90d";
const UNITS_MS = { h: 3_600_000, d: 86_400_000 } as const;

/** Creates a named token, for which a running server needs no restart, and prints it once. */
export async function createToken(settings: Settings): Promise<number> {
  const { io } = settings;
  const folder = tokenFolderPath(settings.knownState());
  const name = readName(settings.text("name"));
  const role = oneOf("role", settings.text("role"), ROLES);
  const expiresAt = readEnd(settings.text("expires") ?? DEFAULT_LIFE);
  const created = await addToken(folder, { name, role, expires_at: expiresAt });
  if (created === undefined) {
    writeLine(io, `weft: token "${name}" already exists; revoke it first, or choose another name`);
    return EXIT.failure;
  }
  io.stdout.write(`${created.text}\n`);
  writeLine(
    io,
    `Token "${name}" (${role}) ${expiresAt === null ? "does not expire" : `expires at ${expiresAt}`}. It is shown only once.`,
  );
  if (role === "author") writeLine(io, AUTHORS_RUN_COMMANDS);
  return EXIT.success;
}

const AUTHORS_RUN_COMMANDS =
  "An author runs commands as the server's account, unless the server requires a sandbox or containers.";

export async function listTokens(settings: Settings): Promise<number> {
  const folder = tokenFolderPath(settings.knownState());
  const { tokens, broken } = readTokenFolder(folder);
  settings.io.stdout.write(tokenTable(tokens, Date.now()));
  for (const name of broken) writeLine(settings.io, `weft: ${join(folder, name)} is not a token file`);
  return broken.length === 0 ? EXIT.success : EXIT.failure;
}

/** Revokes a token; a running server refuses it immediately. */
export async function revokeToken(settings: Settings): Promise<number> {
  const [name] = settings.positionals;
  if (await removeToken(tokenFolderPath(settings.knownState()), readName(name))) {
    writeLine(settings.io, `Revoked token "${name}" and signed out its browsers.`);
    return EXIT.success;
  }
  writeLine(settings.io, `weft: token not found: "${name}"; "weft token list" lists all tokens`);
  return EXIT.failure;
}

function readName(text: string | undefined): string {
  if (text === undefined) throw new UsageError("token create requires --name");
  if (tokenNameSchema.safeParse(text).success) return text;
  throw new UsageError(
    `"${text}" cannot be the name of a token: 1 to 64 of a-z, 0-9, ".", "_", "@" and "-", beginning and ending with a letter or digit; local, engine, server and anonymous are Weft's own`,
  );
}

/** When the token expires; null: never. */
function readEnd(text: string): string | null {
  if (text === "never") return null;
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError(`--expires must be a lifetime such as 12h, 90d or never, not "${text}"`);
  return new Date(Date.now() + Number(count) * UNITS_MS[unit === "h" ? "h" : "d"]).toISOString();
}

/** A line for each token, in columns; `nowMs` is wall-clock time. */
function tokenTable(tokens: readonly NamedToken[], nowMs: number): string {
  if (tokens.length === 0) return "There are no named tokens.\n";
  const rows = tokens.map((token) => [token.name, token.role, token.created_at, endText(token, nowMs)]);
  return `${alignedLines([["NAME", "ROLE", "CREATED", "EXPIRES"], ...rows]).join("\n")}\n`;
}

function endText(token: NamedToken, nowMs: number): string {
  const endMs = endOf(token);
  if (endMs === undefined) return "never";
  return endMs <= nowMs ? `${token.expires_at} (expired)` : String(token.expires_at);
}
