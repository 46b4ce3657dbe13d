import { CheckField } from "../ui/field.tsx";
import { KeyCombination, modifierName } from "../ui/key-combination.tsx";
import type { KeyboardRegistry } from "../ui/keyboard/keyboard-registry.ts";
import type { Shortcut } from "../ui/keyboard/shortcuts.ts";
import { useKeyboardRegistry } from "../ui/keyboard/use-shortcuts.ts";
import { Modal } from "../ui/modal.tsx";
import { usePersisted } from "../ui/persisted.ts";
import { singleKeys } from "./preferences.ts";

/** The shortcuts that work on the current page, and a switch for single-key ones. */
export default function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const registry = useKeyboardRegistry();
  const [kept, setKept] = usePersisted(singleKeys);
  const on = kept === "on";
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <CheckField
        className="mb-4 w-fit cursor-pointer max-md:min-h-11"
        role="switch"
        checked={on}
        onCheck={(isOn) => setKept(isOn ? "on" : "off")}
      >
        Enable single-key shortcuts
      </CheckField>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        {workingGroups(registry, on).map(([group, shortcuts]) => (
          <section key={group} aria-label={group}>
            <h3 className="mb-1.5">{group}</h3>
            <ul>
              {shortcuts.map((shortcut) => (
                <li key={shortcut.id} className="flex items-center justify-between gap-4 border-b border-line py-1">
                  <span>{shortcut.label}</span>
                  <ShortcutKeys shortcut={shortcut} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="mt-4 text-soft">In a text editor, Tab indents. To leave the editor, press Esc, then Tab.</p>
    </Modal>
  );
}

function workingGroups(registry: KeyboardRegistry, singleKeys: boolean): readonly [string, Shortcut[]][] {
  const working: readonly Shortcut[] = registry.active();
  return [
    ...Map.groupBy(
      working.filter(({ scope }) => singleKeys || scope !== "page"),
      ({ group }) => group,
    ),
  ];
}

function ShortcutKeys({ shortcut: { keys, scope } }: { readonly shortcut: Shortcut }) {
  return (
    <span className="flex shrink-0 gap-2">
      {keys.map((sequence) => (
        <KeyCombination
          key={sequence.join(" ")}
          keys={scope === "modified" ? [modifierName(), ...sequence.map((key) => key.toUpperCase())] : sequence}
        />
      ))}
    </span>
  );
}
