import { statSync } from "node:fs";
import type { Log } from "@weft/engine/log.ts";
import { tokenHash, type NamedToken } from "./named-token.ts";
import { readTokenFolder } from "./token-folder.ts";

/**
 * The time for which a folder must be unchanged before its content is cached: file systems have coarse timestamps, so a
 * second change within one tick is not visible.
 */
const SETTLED_MS = 2_000;

/** Called when tokens were added or removed while the server runs. */
export type TokensChanged = (change: "added" | "removed", token: NamedToken) => void;

export interface NamedTokensOptions {
  readonly folder: string;
  readonly log: Log;
  readonly changed?: TokensChanged | undefined;
}

/** The current named tokens of a state folder; `weft token` changes them while the server runs. */
export class NamedTokens {
  readonly #options: NamedTokensOptions;
  #mark: string | undefined;
  #byHash: ReadonlyMap<string, NamedToken> = new Map();

  constructor(options: NamedTokensOptions) {
    this.#options = options;
    this.#refresh();
  }

  get count(): number {
    this.#refresh();
    return this.#byHash.size;
  }

  /** Finds expired tokens too. The time to look up a hash reveals nothing about the token. */
  find(text: string): NamedToken | undefined {
    return this.findByHash(tokenHash(text));
  }

  findByHash(sha256: string): NamedToken | undefined {
    this.#refresh();
    return this.#byHash.get(sha256);
  }

  findByName(name: string): NamedToken | undefined {
    this.#refresh();
    return [...this.#byHash.values()].find((token) => token.name === name);
  }

  #refresh(): void {
    const { folder, log } = this.#options;
    const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
    const mark = found === undefined ? "none" : `${found.ino} ${found.mtimeNs}`;
    if (mark === this.#mark) return;
    const { tokens, broken } = readTokenFolder(folder);
    const isFirst = this.#mark === undefined;
    const isSettled = found === undefined || Date.now() - Number(found.mtimeMs) > SETTLED_MS;
    // "" matches no folder, so the next call reads it again.
    this.#mark = isSettled ? mark : "";
    const before = this.#byHash;
    this.#byHash = new Map(tokens.map((token) => [token.sha256, token]));
    if (!isFirst) this.#reportChanges(before);
    if (isSettled && broken.length > 0)
      log("warn", "Some files in the token folder contain no token", { folder, files: broken });
  }

  #reportChanges(before: ReadonlyMap<string, NamedToken>): void {
    const { changed } = this.#options;
    for (const [hash, token] of this.#byHash) if (!before.has(hash)) changed?.("added", token);
    for (const [hash, token] of before) if (!this.#byHash.has(hash)) changed?.("removed", token);
  }
}
