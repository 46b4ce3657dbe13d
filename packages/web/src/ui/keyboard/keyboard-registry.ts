import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

/** Something that the current page can do, for the palette. */
export interface PageAction {
  readonly label: string;
  readonly act: () => void;
}

export type ShortcutActions = Partial<Readonly<Record<ShortcutId, () => void>>>;

/**
 * Which shortcuts work at the moment: parts of the page enter theirs while they are shown. Of several parts that offer
 * the same one the last to appear has it.
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

  /** Changes whenever something was entered or taken out. */
  readonly version = (): number => this.#version;

  /** Answers with the way to take them out again. */
  addShortcuts(actions: ShortcutActions): () => void {
    this.#shortcuts = [...this.#shortcuts, actions];
    this.#changed();
    return () => {
      this.#shortcuts = this.#shortcuts.filter((entry) => entry !== actions);
      this.#changed();
    };
  }

  /** As addShortcuts, for what has no key of its own. */
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

  /** In the order of the table. */
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
