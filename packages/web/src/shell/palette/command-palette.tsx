import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { networkListQuery, toolListQuery } from "../../api/queries/catalog-queries.ts";
import { runListQuery } from "../../api/queries/run-queries.ts";
import { PAGES } from "../../format/nearest-pages.ts";
import { processName } from "../../format/process-name.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Input } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { KeyCombination } from "../../ui/key-combination.tsx";
import type { KeyboardRegistry } from "../../ui/keyboard/keyboard-registry.ts";
import { useKeyboardRegistry } from "../../ui/keyboard/use-shortcuts.ts";
import { useSettled } from "../../ui/search-field.tsx";

const DEBOUNCE_MS = 120;
const SHOWN = 6;

/** Shortcuts that are only useful when pressed repeatedly, which the palette omits. */
const MOVEMENTS: ReadonlySet<string> = new Set(["row.next", "row.previous", "tab.next", "tab.previous"]);

/** Finds pages, networks, tools, runs and actions of the current page. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { q, search, entries, current, setAt } = useSearch();
  const chosen = useRef(false);
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    chosen.current = true;
    onClose();
    setTimeout(entry.act); // after the dialog has closed, because the action may move the focus
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    handleKey(event, {
      ArrowDown: () => setAt((current + 1) % Math.max(1, entries.length)),
      ArrowUp: () => setAt((current - 1 + entries.length) % Math.max(1, entries.length)),
      Enter: () => choose(entries[current]),
    });
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          aria-label="Search and commands"
          finalFocus={() => !chosen.current}
          className="popup fixed top-[10vh] left-1/2 z-50 flex max-h-[75vh] w-[min(40rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col p-0"
        >
          <PaletteInput
            q={q}
            onChange={search}
            active={current < 0 ? undefined : optionId(current)}
            onKeyDown={onKeyDown}
          />
          <PaletteList entries={entries} current={current} onPoint={setAt} onChoose={choose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The search text, its results, and the index of the highlighted entry (-1: none). */
function useSearch() {
  const [q, setQ] = useState("");
  const [at, setAt] = useState(0);
  const entries = usePaletteEntries(q);
  const search = (text: string): void => {
    setQ(text);
    setAt(0);
  };
  return { q, search, entries, current: Math.min(at, entries.length - 1), setAt };
}

/** Handles these keys, unless an input method uses them. */
function handleKey(event: KeyboardEvent, actions: Readonly<Record<string, () => void>>): void {
  const act = actions[event.key];
  if (event.nativeEvent.isComposing || act === undefined) return;
  event.preventDefault();
  act();
}

const LIST_ID = "palette-list";

function optionId(place: number): string {
  return `palette-option-${place}`;
}

interface PaletteInputProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
  readonly active: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function PaletteInput({ q, onChange, active, onKeyDown }: PaletteInputProps) {
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <Icon name="search" className="size-4 text-soft" />
      <Input
        bare
        className="min-h-12 flex-1 bg-transparent outline-none placeholder:text-soft"
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-controls={LIST_ID}
        aria-activedescendant={active}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Pages, networks, tools, runs, actions"
        value={q}
        onType={onChange}
        onKeyDown={onKeyDown}
      />
      <KeyCombination keys={["Escape"]} />
    </div>
  );
}

interface PaletteListProps {
  readonly entries: readonly PaletteEntry[];
  readonly current: number;
  readonly onPoint: (place: number) => void;
  readonly onChoose: (entry: PaletteEntry) => void;
}

function PaletteList({ entries, current, onPoint, onChoose }: PaletteListProps) {
  useEffect(() => {
    // Newer browsers return a promise, which must not become the effect's clean-up function.
    document.getElementById(optionId(current))?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = [...Map.groupBy(entries.entries(), ([, entry]) => entry.group)];
  return (
    <div id={LIST_ID} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1.5">
      {groups.map(([group, places]) => (
        <div key={group} role="group" aria-label={group}>
          <div aria-hidden="true" className="label-caps px-2.5 pt-2 pb-1">
            {group}
          </div>
          {places.map(([place, entry]) => (
            <PaletteOption
              key={place}
              id={optionId(place)}
              entry={entry}
              selected={place === current}
              onPoint={() => onPoint(place)}
              onChoose={() => onChoose(entry)}
            />
          ))}
        </div>
      ))}
      {entries.length === 0 && <p className="px-3 py-6 text-center text-soft">No results.</p>}
    </div>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** Reached by the arrow keys of the input, which names it by `aria-activedescendant`. */
function PaletteOption({ id, entry, selected, onPoint, onChoose }: PaletteOptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      className="popup-item aria-selected:bg-accent-soft max-md:min-h-11"
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span className="min-w-0 truncate">{entry.label}</span>
      {entry.detail !== undefined && <span className="min-w-0 truncate text-soft">{entry.detail}</span>}
      {entry.keys !== undefined && (
        <span className="ml-auto">
          <KeyCombination keys={entry.keys} />
        </span>
      )}
    </div>
  );
}

interface CatalogEntry {
  readonly id: string;
  readonly label?: string | undefined;
}

/** The palette's entries for `q`: actions and pages at once; networks, tools and runs when the server responds. */
function usePaletteEntries(q: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const asked = useSettled(q.trim(), DEBOUNCE_MS);
  const networks = useQuery(networkListQuery(asked));
  const tools = useQuery(toolListQuery(asked));
  const runs = useQuery(runListQuery({ q: asked, page_size: SHOWN }));
  const to = (path: string) => () => void navigate(path);
  const found = (group: "Networks" | "Tools", path: string, summaries: readonly CatalogEntry[] = []) =>
    summaries
      .slice(0, SHOWN)
      .map(({ id, label }): PaletteEntry => ({ group, label: label ?? id, detail: id, act: to(`/${path}/${id}`) }));
  const own = [
    ...actionEntries(useKeyboardRegistry()),
    ...PAGES.map((page): PaletteEntry => ({ group: "Pages", label: page.label, words: page.words, act: to(page.to) })),
  ];
  return [
    ...rankEntries(own, q),
    ...found("Networks", "network", networks.data?.networks),
    ...found("Tools", "tool", tools.data?.tools),
    ...(runs.data?.runs ?? []).map((run): PaletteEntry => ({
      group: "Runs",
      label: run.name,
      detail: `${STATE_LOOKS[run.state].word}, ${processName(run)}`,
      words: [run.run_id],
      act: to(`/run/${run.run_id}`),
    })),
  ];
}

function actionEntries(registry: KeyboardRegistry): readonly PaletteEntry[] {
  const byKey = registry
    .active()
    .filter(({ id, scope, group }) => scope === "page" && group !== "Go to" && !MOVEMENTS.has(id))
    .map(({ id, label, keys }): PaletteEntry => ({
      group: "On this page",
      label,
      keys: keys[0],
      act: () => registry.action(id)?.(),
    }));
  return [
    ...byKey,
    ...registry.pageActions().map(({ label, act }): PaletteEntry => ({ group: "On this page", label, act })),
  ];
}

/** An entry of the palette. */
export interface PaletteEntry {
  readonly group: "On this page" | "Pages" | "Networks" | "Tools" | "Runs";
  readonly label: string;
  /** Shown next to the label: an id, a state. */
  readonly detail?: string | undefined;
  /** Synonyms for the search. */
  readonly words?: readonly string[] | undefined;
  /** The equivalent shortcut. */
  readonly keys?: readonly string[] | undefined;
  readonly act: () => void;
}

/** The entries that contain every word of `q`, those at the beginning of a word first; sorted within each group. */
export function rankEntries(entries: readonly PaletteEntry[], q: string): readonly PaletteEntry[] {
  const asked = wordsOf(q);
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, asked) })).filter(({ score }) => score > 0);
  const groups = Map.groupBy(scored, ({ entry }) => entry.group);
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry));
}

function scoreOf(entry: PaletteEntry, asked: readonly string[]): number {
  const own = [entry.label, entry.detail ?? "", ...(entry.words ?? [])].flatMap(wordsOf);
  const parts = asked.map((word) =>
    own.some((other) => other.startsWith(word)) ? 2 : own.some((other) => other.includes(word)) ? 1 : 0,
  );
  return parts.includes(0) ? 0 : 1 + parts.reduce<number>((sum, part) => sum + part, 0);
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s:,()]+/)
    .filter((word) => word !== "");
}
