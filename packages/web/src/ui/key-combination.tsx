import { isAppleDevice } from "./keyboard/read-key.ts";
import { keyName } from "./keyboard/shortcuts.ts";

/** Key names, to be pressed in sequence. */
export function KeyCombination({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key, place) => (
        <kbd
          key={place}
          className="code min-w-5 rounded border border-line bg-sunken px-1 text-center text-caption text-soft"
        >
          {keyName(key)}
        </kbd>
      ))}
    </span>
  );
}

/** The name of the modifier key of shortcuts: ⌘ on Apple devices, else Ctrl. */
export function modifierName(): string {
  return isAppleDevice(navigator.userAgent) ? "⌘" : "Ctrl";
}
