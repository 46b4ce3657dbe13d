import { Tabs } from "@base-ui/react/tabs";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { ErrorBoundary } from "./error-boundary.tsx";
import { usePageActions, useShortcuts } from "./keyboard/use-shortcuts.ts";
import { Segments } from "./segments.tsx";

interface TabName {
  readonly id: string;
  readonly label: string;
  /** Small number or mark after the label. */
  readonly note?: ReactNode;
}

export interface TabView extends TabName {
  readonly content: ReactNode;
  /** True if the content has the full width of the window. */
  readonly isWide?: boolean;
  /** Whether the content can show an earlier moment (`?at=`). */
  readonly hasPast?: boolean;
}

/** A tab has one view, or several with a switch between them. Their ids are unique on the page. */
export type TabEntry = TabView | (TabName & { readonly views: readonly [TabView, ...TabView[]] });

interface TabBarProps {
  readonly label: string;
  readonly tabs: readonly [TabEntry, ...TabEntry[]];
  /** Content of the sticky bar above the tabs. */
  readonly bar?: ReactNode;
  /** Content at the end of the tab bar, for views that have a past. */
  readonly aside?: ReactNode;
}

const BAR = "sticky top-13 z-10 -mx-4 -mt-5 mb-4 bg-canvas px-4 md:-mx-6 md:px-6";
/** Scrolls sideways, including its bottom border. */
const LIST = "flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]";

const TAB =
  "-mb-px flex min-h-9 shrink-0 items-center gap-1.5 rounded-t border-b-2 border-transparent px-3 font-medium text-soft -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink max-md:min-h-10";

/** Tabs with the id of the selected view in the URL (`?tab=`); the first is the default. Renders only that view. */
export function TabBar({ label, tabs, bar, aside }: TabBarProps) {
  const { chosen, view, choose, unknown } = useChosenTab(tabs);
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
          {view.hasPast === true && <div className="flex shrink-0 items-center">{aside}</div>}
        </div>
      </div>
      <Panel
        chosen={chosen}
        view={view}
        choose={choose}
        unknown={unknown}
        isNarrow={bar !== undefined && view.isWide !== true}
      />
    </Tabs.Root>
  );
}

interface PanelProps extends ReturnType<typeof useChosenTab> {
  readonly isNarrow: boolean;
}

function Panel({ chosen, view, choose, unknown, isNarrow }: PanelProps) {
  const views = viewsOf(chosen);
  const hasSwitch = views.length > 1;
  return (
    <Tabs.Panel
      key={chosen.id}
      value={chosen.id}
      tabIndex={-1}
      // Views that fill the window subtract the height of the switch.
      className={`outline-none ${isNarrow ? "max-w-400" : ""} ${hasSwitch ? "[--views:3.3rem]" : ""}`}
    >
      {unknown !== undefined && (
        <p role="status" className="mb-3 text-soft wrap-anywhere">
          There is no view "{unknown}" here. This is {view.label}.
        </p>
      )}
      {hasSwitch && (
        <div className="mb-3">
          <Segments
            label={`Views of ${chosen.label.toLowerCase()}`}
            options={views}
            chosen={view.id}
            onChoose={choose}
          />
        </div>
      )}
      <ErrorBoundary key={view.id} resetKey={view.id}>
        {view.content}
      </ErrorBoundary>
    </Tabs.Panel>
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
  const wanted = params.get("tab");
  const { chosen, view } = findView(tabs, wanted);
  const choose = (id: string): void => {
    const { hasPast } = findView(tabs, id).view;
    setParams((old) => withTab(old, id === tabs[0].id ? undefined : id, hasPast === true ? [...KEPT, "at"] : KEPT));
  };
  const at = tabs.indexOf(chosen);
  const chooseAt = (place: number): void => choose((tabs[(place + tabs.length) % tabs.length] ?? tabs[0]).id);
  useShortcuts({ "tab.previous": () => chooseAt(at - 1), "tab.next": () => chooseAt(at + 1) });
  usePageActions(
    tabs.flatMap((tab) => [
      { label: `Tab: ${tab.label}`, act: () => choose(tab.id) },
      ...viewsOf(tab)
        .filter(({ label }) => label !== tab.label)
        .map(({ id, label }) => ({ label: `Tab: ${tab.label}, ${label}`, act: () => choose(id) })),
    ]),
  );
  const isKnown = wanted === null || wanted === "" || chosen.id === wanted || view.id === wanted;
  return { chosen, view, choose, unknown: isKnown ? undefined : wanted };
}

/** The tab and its view with this ID; an unknown one is that of the first tab. */
function findView(tabs: TabBarProps["tabs"], wanted: string | null) {
  const chosen = tabs.find((tab) => tab.id === wanted || viewsOf(tab).some(({ id }) => id === wanted)) ?? tabs[0];
  return { chosen, view: viewsOf(chosen).find(({ id }) => id === wanted) ?? viewsOf(chosen)[0] };
}

function viewsOf(tab: TabEntry): readonly [TabView, ...TabView[]] {
  return "views" in tab ? tab.views : [tab];
}

const KEPT = ["v", "with", "location", "pattern", "network", "query", "ask"] as const;

/**
 * Switching views drops the parameters of the view (selection, filters, page) but keeps versions, the dataset with its query
 * and, if the next view has a past, the moment shown.
 */
function withTab(old: URLSearchParams, tab: string | undefined, names: readonly string[]): URLSearchParams {
  const next = new URLSearchParams();
  for (const kept of names) {
    const value = old.get(kept);
    if (value !== null) next.set(kept, value);
  }
  if (tab !== undefined) next.set("tab", tab);
  return next;
}
