/** The name of the modifier key of shortcuts: ⌘ on Apple devices, else Ctrl. */
export function modifierName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}
