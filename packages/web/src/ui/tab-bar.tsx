import { Tabs } from "@base-ui/react/tabs";
import { Suspense, type ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Skeleton } from "./skeleton.tsx";
import { usePageActions, useShortcuts } from "./keyboard/use-shortcuts.ts";

export interface TabEntry {
  readonly id: string;
  readonly label: string;
  /** Small number or mark after the label. */
  readonly note?: ReactNode;
  readonly content: ReactNode;
}

export interface TabBarProps {
  readonly label: string;
  readonly tabs: readonly [TabEntry, ...TabEntry[]];
  /** Stays in sight with the tabs in one bar while their content scrolls; on a phone the tabs alone do. */
  readonly bar?: ReactNode;
  /** Between the tabs and their content. */
  readonly below?: ReactNode;
}

const BAR = "z-10 -mx-4 border-line bg-canvas px-4 max-md:contents md:sticky md:top-13 md:-mx-6 md:-mt-5 md:px-6";
/** Scrolls sideways; the line below it is part of it. */
const LIST = "flex gap-1 overflow-x-auto border-b border-line";
const STICKY_LIST =
  "max-md:sticky max-md:top-13 max-md:z-10 max-md:-mx-4 max-md:bg-canvas max-md:px-4 md:-mx-6 md:px-6";

const TAB =
  "-mb-px flex min-h-9 shrink-0 items-center gap-1.5 rounded-t border-b-2 border-transparent px-3 font-medium text-soft -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink max-md:min-h-11";

/** Tabs whose choice stands in the URL as `?tab=`; the first is the default. Only the chosen one is rendered. */
export function TabBar({ label, tabs, bar, below }: TabBarProps) {
  const [params, setParams] = useSearchParams();
  const chosen = tabs.find((tab) => tab.id === params.get("tab")) ?? tabs[0];
  const choose = (id: string): void => setParams((old) => withTab(old, id === tabs[0].id ? undefined : id));
  const at = tabs.indexOf(chosen);
  const chooseAt = (place: number): void => choose((tabs[(place + tabs.length) % tabs.length] ?? tabs[0]).id);
  useShortcuts({ "tab.previous": () => chooseAt(at - 1), "tab.next": () => chooseAt(at + 1) });
  usePageActions(tabs.map(({ id, label }) => ({ label: `Tab: ${label}`, act: () => choose(id) })));
  return (
    <Tabs.Root value={chosen.id} onValueChange={(value) => choose(String(value))}>
      <div className={bar === undefined ? "" : BAR}>
        {bar}
        <Tabs.List aria-label={label} className={`mb-4 ${LIST} ${bar === undefined ? "" : STICKY_LIST}`}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.id} value={tab.id} className={TAB}>
              {tab.label}
              {tab.note}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      {below}
      <Tabs.Panel key={chosen.id} value={chosen.id} tabIndex={-1} className="outline-none">
        <ErrorBoundary resetKey={chosen.id}>
          <Suspense fallback={<Skeleton />}>{chosen.content}</Suspense>
        </ErrorBoundary>
      </Tabs.Panel>
    </Tabs.Root>
  );
}

/** What belongs to one tab (selection, filters, page) does not follow to another. */
function withTab(old: URLSearchParams, tab: string | undefined): URLSearchParams {
  const next = new URLSearchParams();
  for (const kept of ["v", "with"]) {
    const value = old.get(kept);
    if (value !== null) next.set(kept, value);
  }
  if (tab !== undefined) next.set("tab", tab);
  return next;
}
