import { hash, randomBytes } from "node:crypto";

export interface OneTimeSecretsOptions {
  readonly lifeMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Maximum number of unused secrets; a further one replaces the oldest. */
  readonly limit: number;
}

/** Secrets that can be redeemed once, within a limited time. Each has 32 random bytes; only its hash is kept. */
export class OneTimeSecrets<What> {
  readonly #options: OneTimeSecretsOptions;
  readonly #open = new Map<string, { readonly what: What; readonly endMs: number }>();

  constructor(options: OneTimeSecretsOptions) {
    this.#options = options;
  }

  issue(what: What): string {
    const { lifeMs, limit, now } = this.#options;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= limit) this.#open.delete(oldest);
    const secret = randomBytes(32).toString("base64url");
    this.#open.set(keyOf(secret), { what, endMs: now() + lifeMs });
    return secret;
  }

  /** The value that the secret was issued for; undefined if it was used, has expired or was never issued. */
  redeem(secret: string): What | undefined {
    const key = keyOf(secret);
    const found = this.#open.get(key);
    this.#open.delete(key);
    return found !== undefined && this.#options.now() < found.endMs ? found.what : undefined;
  }
}

/** Secrets are looked up by hash, so that the time of a lookup does not reveal anything about them. */
function keyOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}
