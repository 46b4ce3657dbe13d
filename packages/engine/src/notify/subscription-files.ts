import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeDurablyNow } from "../files/write-durably.ts";

/** The address of a subscription's messages, with the secret that signs them or the token that opens the feed. */
const contentSchema = z.discriminatedUnion("channel", [
  z.strictObject({ channel: z.literal("webhook"), url: z.string(), secret: z.string() }),
  z.strictObject({ channel: z.literal("email"), email: z.string() }),
  /** A feed's token is stored as its SHA-256, like users' tokens. */
  z.strictObject({ channel: z.literal("feed"), token_sha256: z.string() }),
]);
export type SubscriptionSecret = z.infer<typeof contentSchema>;

/**
 * The addresses and secrets of subscriptions, each in a file that only this account can read. Neither the log nor a
 * backup holds them.
 */
export class SubscriptionFiles {
  readonly #folder: string;
  /** The secrets that this process read or wrote. */
  readonly #known = new Map<string, SubscriptionSecret>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Call before the subscription is recorded: a recorded one has its address. */
  add(subscriptionId: string, content: SubscriptionSecret): void {
    writeDurablyNow(this.#path(subscriptionId), JSON.stringify(content));
    this.#known.set(subscriptionId, content);
  }

  /** Reads a secret; undefined if its file is missing, as after a restore from a backup, or was edited. */
  read(subscriptionId: string): SubscriptionSecret | undefined {
    const known = this.#known.get(subscriptionId);
    if (known !== undefined) return known;
    try {
      const text = readFileSync(this.#path(subscriptionId), "utf8");
      const { data } = contentSchema.safeParse(JSON.parse(text));
      if (data !== undefined) this.#known.set(subscriptionId, data);
      return data;
    } catch {
      return undefined;
    }
  }

  remove(subscriptionId: string): void {
    this.#known.delete(subscriptionId);
    rmSync(this.#path(subscriptionId), { force: true });
  }

  /** Removes files of subscriptions that were never recorded, because the server was killed in between. */
  removeAllBut(known: ReadonlySet<string>): void {
    for (const name of this.#names()) if (!known.has(basename(name, ".json"))) rmSync(join(this.#folder, name));
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  #path(subscriptionId: string): string {
    return join(this.#folder, `${subscriptionId}.json`);
  }
}
