import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

/** An action of the current page, for the palette. */
export interface PageAction {
  readonly label: string;
  readonly act: () => void;
}

export type ShortcutActions = Partial<Readonly<Record<ShortcutId, () => void>>>;

/**
 * The active shortcuts: components register theirs while mounted. The last component to mount wins.
 */
export class KeyboardRegistry {
  readonly #listeners = new Set<() => void>();
  #shortcuts: readonly ShortcutActions[] = [];
  #actions: readonly (readonly PageAction[])[] = [];
  #version = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes with every registration and removal. */
  readonly version = (): number => this.#version;

  /** Returns a function that removes them. */
  addShortcuts(actions: ShortcutActions): () => void {
    this.#shortcuts = [...this.#shortcuts, actions];
    this.#changed();
    return () => {
      this.#shortcuts = this.#shortcuts.filter((entry) => entry !== actions);
      this.#changed();
    };
  }

  /** Like addShortcuts, for actions without a key. */
  addActions(actions: readonly PageAction[]): () => void {
    this.#actions = [...this.#actions, actions];
    this.#changed();
    return () => {
      this.#actions = this.#actions.filter((entry) => entry !== actions);
      this.#changed();
    };
  }

  action(id: ShortcutId): (() => void) | undefined {
    return this.#shortcuts.findLast((entry) => entry[id] !== undefined)?.[id];
  }

  /** The active shortcuts in the order of the table. */
  active(): readonly (typeof SHORTCUTS)[number][] {
    return SHORTCUTS.filter(({ id }) => this.action(id) !== undefined);
  }

  pageActions(): readonly PageAction[] {
    return this.#actions.flat();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** The registry of this tab. */
export const keyboard = new KeyboardRegistry();
