import { endOf } from "@weft/api/auth/tokens/named-token.ts";
import type { NamedToken } from "@weft/api/auth/tokens/named-token.ts";

/** A line for each token, in columns; `nowMs` is wall-clock time. */
export function tokenTable(tokens: readonly NamedToken[], nowMs: number): string {
  if (tokens.length === 0) return "There are no named tokens.\n";
  const rows = [
    ["NAME", "ROLE", "CREATED", "ENDS"],
    ...tokens.map((token) => [token.name, token.role, token.created_at, endText(token, nowMs)]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function endText(token: NamedToken, nowMs: number): string {
  const endMs = endOf(token);
  if (endMs === undefined) return "never";
  return endMs <= nowMs ? `${token.expires_at} (ended)` : String(token.expires_at);
}
