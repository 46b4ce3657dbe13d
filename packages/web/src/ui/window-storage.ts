import { ofAccount } from "../api/account.ts";

type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "length" | "key">;

/**
 * The browser storage of this window for the current account. Each window has its own text under a key, which a reload
 * finds again; a window that has none yet begins with the last one that any window wrote.
 */
export class WindowStorage {
  readonly #own: TextStorage;
  readonly #shared: TextStorage;
  readonly #prefix: string;

  constructor(own: TextStorage = sessionStorage, shared: TextStorage = localStorage) {
    this.#own = own;
    this.#shared = shared;
    this.#prefix = ofAccount("", shared);
  }

  read(key: string): string | null {
    return this.#own.getItem(this.#prefix + key) ?? this.#shared.getItem(this.#prefix + key);
  }

  /** Throws if the storage of this window is full. If only the shared storage is full, other windows begin with nothing rather than with an older text. */
  write(name: string, text: string): void {
    const key = this.#prefix + name;
    const before = this.#own.getItem(key);
    this.#own.setItem(key, text);
    try {
      this.#shared.setItem(key, text);
    } catch {
      if (before === null || this.#shared.getItem(key) === before) this.#shared.removeItem(key);
    }
  }

  /** Removes this window's text, but not the text that another window has written since. */
  remove(name: string): void {
    const key = this.#prefix + name;
    const own = this.#own.getItem(key);
    this.#own.removeItem(key);
    if (own === null || this.#shared.getItem(key) === own) this.#shared.removeItem(key);
  }

  /** The keys of all windows that begin with a text. */
  keys(prefix: string): readonly string[] {
    const keys = Array.from({ length: this.#shared.length }, (_, place) => this.#shared.key(place) ?? "");
    const own = keys.filter((key) => key.startsWith(this.#prefix + prefix));
    return own.map((key) => key.slice(this.#prefix.length));
  }
}
