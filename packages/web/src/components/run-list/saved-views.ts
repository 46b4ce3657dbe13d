/** A list of runs under a name: the query of its URL. */
interface SavedView {
  readonly name: string;
  readonly search: string;
}

const KEY = "weft.run-views";
const MAX_VIEWS = 30;
const MAX_CHARACTERS = 60;

/** The views of this browser, sorted by name. */
export class SavedViews {
  readonly #storage: Pick<Storage, "getItem" | "setItem">;
  readonly #listeners = new Set<() => void>();
  #read: { readonly text: string | null; readonly views: readonly SavedView[] } | undefined;

  constructor(storage: Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the previous array unless it has changed. */
  readonly list = (): readonly SavedView[] => {
    const text = this.#storage.getItem(KEY);
    if (this.#read === undefined || this.#read.text !== text) this.#read = { text, views: parseViews(text) };
    return this.#read.views;
  };

  /** Replaces one of the same name; beyond the maximum, the new one is not saved. */
  add(name: string, search: string): void {
    const plain = name.trim().slice(0, MAX_CHARACTERS);
    if (plain === "") return;
    const others = this.list().filter((view) => view.name !== plain);
    if (others.length < MAX_VIEWS) this.#write([...others, { name: plain, search }]);
  }

  remove(name: string): void {
    this.#write(this.list().filter((view) => view.name !== name));
  }

  #write(views: readonly SavedView[]): void {
    this.#storage.setItem(KEY, JSON.stringify(views.toSorted((a, b) => a.name.localeCompare(b.name))));
    for (const listener of this.#listeners) listener();
  }
}

/** Ignores entries that this app did not write. */
function parseViews(text: string | null): readonly SavedView[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isView).slice(0, MAX_VIEWS) : [];
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  return "name" in value && typeof value.name === "string" && "search" in value && typeof value.search === "string";
}
