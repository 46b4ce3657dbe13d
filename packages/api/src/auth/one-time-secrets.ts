import { hash, randomBytes } from "node:crypto";

export interface OneTimeSecretsOptions {
  readonly lifeMs: number;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  /** Open at once, at most; the oldest gives way. */
  readonly limit: number;
}

/** Secrets that open something once and for a while: 32 random bytes each, of which only the hash is kept. */
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

  /** What the secret opens; undefined when it was used, is too old or was never issued. */
  redeem(secret: string): What | undefined {
    const key = keyOf(secret);
    const found = this.#open.get(key);
    this.#open.delete(key);
    return found !== undefined && this.#options.now() < found.endMs ? found.what : undefined;
  }
}

/** Looking up a hash tells nothing about the secret by the time it takes. */
function keyOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}
