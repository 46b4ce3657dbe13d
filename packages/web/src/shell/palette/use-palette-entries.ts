import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { networkListQuery, toolListQuery } from "../../api/catalog-queries.ts";
import { runListQuery } from "../../api/run-queries.ts";
import { PAGES } from "../../format/nearest-pages.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import type { KeyboardRegistry } from "../../ui/keyboard/keyboard-registry.ts";
import { useKeyboardRegistry } from "../../ui/keyboard/use-shortcuts.ts";
import { rankEntries, type PaletteEntry } from "./rank-entries.ts";

const DEBOUNCE_MS = 120;
const SHOWN = 6;

/** The palette's entries for `q`: actions and pages at once; networks, tools and runs when the server responds. */
export function usePaletteEntries(q: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const asked = useDebounced(q.trim());
  const networks = useQuery(networkListQuery(asked));
  const tools = useQuery(toolListQuery(asked));
  const runs = useQuery(runListQuery({ q: asked || undefined, pageSize: SHOWN }));
  const to = (path: string) => () => void navigate(path);
  const own = [
    ...actionEntries(useKeyboardRegistry()),
    ...PAGES.map((page): PaletteEntry => ({ group: "Pages", label: page.label, words: page.words, act: to(page.to) })),
  ];
  return [
    ...rankEntries(own, q),
    ...(networks.data?.networks ?? []).slice(0, SHOWN).map(({ id, label }): PaletteEntry => ({
      group: "Networks",
      label: label ?? id,
      detail: id,
      act: to(`/network/${id}`),
    })),
    ...(tools.data?.tools ?? []).slice(0, SHOWN).map(({ id, label }): PaletteEntry => ({
      group: "Tools",
      label: label ?? id,
      detail: id,
      act: to(`/tool/${id}`),
    })),
    ...(runs.data?.runs ?? []).map((run): PaletteEntry => ({
      group: "Runs",
      label: run.name,
      detail: `${STATE_LOOKS[run.state].word}, ${run.network?.id ?? run.tool?.id ?? ""}`,
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

/** Shortcuts that are only useful when pressed repeatedly, which the palette omits. */
const MOVEMENTS: ReadonlySet<string> = new Set(["row.next", "row.previous", "tab.next", "tab.previous"]);

function useDebounced(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}
