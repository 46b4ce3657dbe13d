/** What the key is called that goes with letters: ⌘ on Apple's machines, else Ctrl. */
export function modifierName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}
