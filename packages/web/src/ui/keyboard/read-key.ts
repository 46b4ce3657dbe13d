/** A key event. Browsers that fill in forms send events without a key. */
export type KeyPress = Partial<
  Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing">
> &
  Partial<Pick<KeyboardEvent, "getModifierState">>;

type PressedKey =
  /** With the modifier of shortcuts. */
  | { readonly kind: "modified"; readonly key: string }
  /** A character that a page may use as a shortcut. */
  | { readonly kind: "single"; readonly key: string }
  | { readonly kind: "escape" }
  | { readonly kind: "none" };

const NONE = { kind: "none" } as const;

/** The key of a shortcut, whatever the layout of the keyboard. `isApple`: Cmd, not Ctrl, is the modifier of shortcuts. */
export function readKey(press: KeyPress, isApple: boolean): PressedKey {
  const { ctrlKey = false, metaKey = false, altKey = false, shiftKey = false } = press;
  if (press.key === undefined || press.isComposing === true) return NONE;
  // On many keyboards `[` needs AltGr, which some systems report as Ctrl and Alt.
  const isAltGraph = press.getModifierState?.("AltGraph") === true;
  const hasControl = (ctrlKey || metaKey) && !isAltGraph;
  const key = latinKey(press);
  if (hasControl) {
    const isModifier = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
    return isModifier && !altKey && !shiftKey ? { kind: "modified", key } : NONE;
  }
  if (key === "Escape") return { kind: "escape" };
  return key.length === 1 && (!altKey || isAltGraph) ? { kind: "single", key } : NONE;
}

/** The character on the key, without the caps lock; on a keyboard of another script, the Latin letter in its place. */
function latinKey({ key = "", code = "", shiftKey = false }: KeyPress): string {
  if (!/^\p{L}$/u.test(key)) return key;
  const letter = /^\p{Script=Latin}$/u.test(key) ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key);
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** True on Apple devices, whose shortcuts need ⌘. */
export function isAppleDevice(userAgent: string): boolean {
  return /Mac|iPhone|iPad/.test(userAgent);
}
