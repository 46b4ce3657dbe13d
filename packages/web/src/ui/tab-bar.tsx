import { Tabs } from "@base-ui/react/tabs";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { ErrorBoundary } from "./error-boundary.tsx";
import { usePageActions, useShortcuts } from "./keyboard/use-shortcuts.ts";

export interface TabEntry {
  readonly id: string;
  readonly label: string;
  /** Small number or mark after the label. */
  readonly note?: ReactNode;
  readonly content: ReactNode;
  /** Whether the content has the full width of the window. */
  readonly isWide?: boolean;
}

interface TabBarProps {
  readonly label: string;
  readonly tabs: readonly [TabEntry, ...TabEntry[]];
  /** Content of the sticky bar above the tabs. */
  readonly bar?: ReactNode;
  /** Content at the end of the tab bar. */
  readonly aside?: ReactNode;
}

const BAR = "sticky top-13 z-10 -mx-4 -mt-5 mb-4 bg-canvas px-4 md:-mx-6 md:px-6";
/** Scrolls sideways, including its bottom border. */
const LIST = "flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]";

const TAB =
  "-mb-px flex min-h-9 shrink-0 items-center gap-1.5 rounded-t border-b-2 border-transparent px-3 font-medium text-soft -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink max-md:min-h-10";

/** Tabs with the selected one in the URL (`?tab=`); the first is the default. Renders only the selected tab. */
export function TabBar({ label, tabs, bar, aside }: TabBarProps) {
  const { chosen, choose } = useChosenTab(tabs);
  const list = useRevealed(chosen.id);
  return (
    <Tabs.Root
      value={chosen.id}
      onValueChange={(value) => choose(String(value))}
      {...(bar === undefined ? {} : { "data-wide": true })}
    >
      <div className={bar === undefined ? "" : BAR}>
        {bar}
        <div ref={list} className={`${LIST} ${bar === undefined ? "mb-4" : "-mx-4 px-4 md:-mx-6 md:px-6"}`}>
          <Tabs.List aria-label={label} className="flex flex-1 gap-1">
            {tabs.map((tab) => (
              <Tabs.Tab key={tab.id} value={tab.id} data-tab={tab.id} className={TAB}>
                {tab.label}
                {tab.note}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {aside !== undefined && <div className="flex shrink-0 items-center">{aside}</div>}
        </div>
      </div>
      <Tabs.Panel
        key={chosen.id}
        value={chosen.id}
        tabIndex={-1}
        className={`outline-none ${bar === undefined || chosen.isWide === true ? "" : "max-w-400"}`}
      >
        <ErrorBoundary resetKey={chosen.id}>{chosen.content}</ErrorBoundary>
      </Tabs.Panel>
    </Tabs.Root>
  );
}

/** Scrolls the list sideways until the chosen tab is in the middle; on a phone the last tabs are hidden at first. */
function useRevealed(chosen: string) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector(`[data-tab="${chosen}"]`);
    if (list.current === null || tab === null || tab === undefined) return;
    const [box, own] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    list.current.scrollLeft += own.left + own.width / 2 - (box.left + box.width / 2);
  }, [chosen]);
  return list;
}

function useChosenTab(tabs: TabBarProps["tabs"]) {
  const [params, setParams] = useSearchParams();
  const chosen = tabs.find((tab) => tab.id === params.get("tab")) ?? tabs[0];
  const choose = (id: string): void => setParams((old) => withTab(old, id === tabs[0].id ? undefined : id));
  const at = tabs.indexOf(chosen);
  const chooseAt = (place: number): void => choose((tabs[(place + tabs.length) % tabs.length] ?? tabs[0]).id);
  useShortcuts({ "tab.previous": () => chooseAt(at - 1), "tab.next": () => chooseAt(at + 1) });
  usePageActions(tabs.map(({ id, label }) => ({ label: `Tab: ${label}`, act: () => choose(id) })));
  return { chosen, choose };
}

const KEPT = ["v", "with", "at", "location", "pattern", "network", "query", "ask"] as const;

/**
 * Switching tabs drops the parameters of the tab (selection, filters, page) but keeps versions, the moment shown, and the
 * dataset with its query.
 */
function withTab(old: URLSearchParams, tab: string | undefined): URLSearchParams {
  const next = new URLSearchParams();
  for (const kept of KEPT) {
    const value = old.get(kept);
    if (value !== null) next.set(kept, value);
  }
  if (tab !== undefined) next.set("tab", tab);
  return next;
}
