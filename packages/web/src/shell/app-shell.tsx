import { useQuery } from "@tanstack/react-query";
import { numberText } from "@weft/shared/text/count-text.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import type { ConnectionStatus } from "../api/live/event-socket.ts";
import type { LiveConnection } from "../api/live/live-connection.ts";
import { serverQuery } from "../api/session-query.ts";
import { ACTIVE_STATES, countIn } from "../format/state-look.ts";
import { PageRoutes } from "../routes/page-routes.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Icon } from "../ui/icon.tsx";
import { modifierName } from "../ui/key-combination.tsx";
import { keyboard } from "../ui/keyboard/keyboard-registry.ts";
import { isAppleDevice, readKey } from "../ui/keyboard/read-key.ts";
import { matchKeys } from "../ui/keyboard/shortcuts.ts";
import { useShortcuts } from "../ui/keyboard/use-shortcuts.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { StateIcon } from "../ui/state-badge.tsx";
import { useNow } from "../ui/time-text.tsx";
import { NAV_ENTRIES, isCurrent } from "./nav-entries.ts";
import { THEMES, chooseTheme, keptTheme, singleKeys } from "./preferences.ts";

const HeaderMenus = onDemand(() => import("./header-menus.tsx"));

/** The number of attempts after which the connection counts as lost rather than interrupted. */
const OFFLINE_AFTER_ATTEMPTS = 4;

/** The frame around every page. */
export function AppShell({ live }: { readonly live: LiveConnection }) {
  const { pathname } = useLocation();
  return (
    <>
      <a href="#main" className="btn btn-primary fixed top-2 left-2 z-70 -translate-y-20 focus:translate-y-0">
        Skip to content
      </a>
      <SiteHeader live={live} />
      <LiveBanner live={live} />
      <StorageBanner />
      <main
        id="main"
        tabIndex={-1}
        className="w-full max-w-400 px-4 py-5 outline-none has-[[data-wide]]:max-w-none md:px-6"
      >
        <ErrorBoundary resetKey={pathname} isPage>
          <PageRoutes />
        </ErrorBoundary>
      </main>
      <KeyboardControl />
    </>
  );
}

const StorageNotice = onDemand(() => import("./storage-notice.tsx"));

function StorageBanner() {
  const { data: { storage = "ok" } = {} } = useQuery(serverQuery());
  return storage !== "ok" && <StorageNotice storage={storage} />;
}

const SHOWN_FROM_ATTEMPT = 3;

/** Warns that the page may be out of date once the connection has been lost for about three seconds. */
function LiveBanner({ live }: { readonly live: LiveConnection }) {
  const status = useConnectionStatus(live);
  if (status.kind !== "waiting" || status.attempt < SHOWN_FROM_ATTEMPT) return null;
  return (
    <div role="status" className="border-b border-line bg-canceled-soft px-4 py-1.5 text-center text-canceled">
      Live updates paused – can't reach the server. <RetryCountdown retryAtMs={status.retryAtMs} />
    </div>
  );
}

function RetryCountdown({ retryAtMs }: { readonly retryAtMs: number }) {
  const seconds = Math.max(1, Math.ceil((retryAtMs - useNow()) / 1000));
  return (
    <span aria-hidden="true" className="tabular-nums">
      Retrying in {seconds} s.
    </span>
  );
}

/** The bar on top of every page: 52 px high. */
function SiteHeader({ live }: { readonly live: LiveConnection }) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className="flex h-13 items-center gap-1 px-4 md:px-6">
        <Link to="/" className="mr-3 flex items-center gap-2 text-brand font-bold tracking-tight">
          <Logo /> Weft
        </Link>
        <MainNav />
        {/* The badge comes and goes. Outside the group, it moves nothing else. */}
        <div className="ml-auto">
          <RunningBadge />
        </div>
        <div className="ml-1.5 flex items-center gap-1.5">
          <SearchButton />
          <ConnectionDot live={live} />
          <div className="flex min-w-31 justify-end gap-1.5 max-md:min-w-23">
            <HeaderMenus />
          </div>
        </div>
      </div>
    </header>
  );
}

function SearchButton() {
  return (
    <Button
      look="quiet"
      className="px-2 text-soft max-md:min-w-11 lg:border-line lg:bg-canvas"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => keyboard.action("palette")?.()}
    >
      <Icon name="search" />
      <span className="font-normal max-lg:sr-only">Search…</span>
      <kbd className="code text-caption max-lg:hidden">{modifierName()} K</kbd>
    </Button>
  );
}

/** On a phone these entries are in the menu instead. */
function MainNav() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main" className="hidden h-full md:flex">
      {NAV_ENTRIES.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          aria-current={isCurrent(entry, pathname) ? "page" : undefined}
          className="flex items-center border-b-2 border-transparent px-2 lg:px-2.5 font-medium text-soft -outline-offset-4 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
        >
          {entry.label}
        </Link>
      ))}
    </nav>
  );
}

interface Look {
  readonly word: string;
  readonly dot: string;
  readonly title: string;
}

/** Shows whether the page currently receives live updates. */
function ConnectionDot({ live }: { readonly live: LiveConnection }) {
  const look = lookOf(useConnectionStatus(live));
  return (
    <span title={look.title} className="flex items-center gap-1.5 px-1.5 text-small text-soft">
      <span aria-hidden="true" className={`size-2 rounded-full ${look.dot}`} />
      <span className="max-sm:sr-only">{look.word}</span>
    </span>
  );
}

function lookOf(status: ConnectionStatus): Look {
  switch (status.kind) {
    case "live":
      return { word: "Live", dot: "bg-success", title: "Connected – updates appear live" };
    case "connecting":
      return { word: "Connecting", dot: "bg-edge", title: "Connecting to the event stream" };
    case "waiting":
      return status.attempt >= OFFLINE_AFTER_ATTEMPTS
        ? { word: "Offline", dot: "bg-failed", title: "Server not responding – retrying" }
        : { word: "Reconnecting", dot: "bg-canceled pulse", title: "Connection lost – retrying" };
  }
}

/** The mark: a woven W. */
function Logo() {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      className="size-7"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path d="M5 9.5 10.5 23 16 11M16 11l5.5 12L27 9.5" stroke="#fff" strokeWidth="3.2" />
      <path d="M5.5 16.2h4.6M13.4 16.2h5.2M21.9 16.2h4.6" stroke="#a5f3fc" strokeWidth="2.4" />
    </svg>
  );
}

/** Number of running runs, linked to them. */
function RunningBadge() {
  const { data } = useQuery(serverQuery());
  const active = countIn(data?.run_counts ?? {}, ACTIVE_STATES);
  if (active === 0) return null;
  return (
    <Link
      to="/runs?state=running"
      className="flex min-h-7 items-center gap-1.5 rounded-full bg-running-soft px-2.5 text-small font-semibold text-running max-md:min-h-11"
    >
      <StateIcon state="RUNNING" className="size-3.5" />
      <span className="tabular-nums">{numberText(active)}</span>
      <span className="max-sm:sr-only">running</span>
    </Link>
  );
}

function useConnectionStatus(live: LiveConnection): ConnectionStatus {
  return useSyncExternalStore(live.subscribe, live.status);
}

const CommandPalette = onDemand(() => import("./palette/command-palette.tsx"));
const ShortcutHelp = onDemand(() => import("./shortcut-help.tsx"));

/** Maximum time between the keys of a shortcut. */
const PAUSE_MS = 1500;

/** Handles the shortcuts, including those of every page, and renders the palette and the help. */
function KeyboardControl() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | undefined>(undefined);
  const go = (path: string) => () => void navigate(path);
  useEffect(listenToKeys, []);
  useShortcuts({
    palette: () => setOpen((old) => (old === "palette" ? undefined : "palette")),
    help: () => setOpen("help"),
    theme: nextTheme,
    escape: leaveSearch,
    "go.home": go("/"),
    "go.networks": go("/networks"),
    "go.runs": go("/runs"),
    "go.tools": go("/tool"),
    "go.provenance": go("/prov"),
    "go.docs": go("/doc"),
  });
  const close = (): void => setOpen(undefined);
  return (
    <>
      {open === "palette" && <CommandPalette onClose={close} />}
      {open === "help" && <ShortcutHelp onClose={close} />}
    </>
  );
}

function nextTheme(): void {
  chooseTheme(THEMES[(THEMES.indexOf(keptTheme.get()) + 1) % THEMES.length] ?? "system");
}

/** Dialogs and menus handle Escape themselves. */
function leaveSearch(): void {
  const element = document.activeElement;
  if (element instanceof HTMLInputElement && element.type === "search") element.blur();
}

/** Handles the shortcuts of the registry in the whole document; returns a function that stops this. */
function listenToKeys(): () => void {
  let typed: readonly string[] = [];
  let typedAtMs = 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const pressed = readKey(event, isAppleDevice(navigator.userAgent));
    if (pressed.kind === "none") return;
    if (pressed.kind === "modified") return actWithModifier(event, pressed.key);
    if (pressed.kind === "escape") {
      if (isSearch(event.target)) event.preventDefault(); // browsers would clear it
      return keyboard.action("escape")?.();
    }
    if (!isForPage(event)) return;
    const before = event.timeStamp - typedAtMs < PAUSE_MS ? typed : [];
    const match = matchKeys(
      keyboard.active().filter(({ scope }) => scope === "page"),
      [...before, pressed.key],
    );
    typed = match.kind === "wait" ? match.typed : [];
    typedAtMs = event.timeStamp;
    if (match.kind !== "act") return;
    event.preventDefault();
    keyboard.action(match.id)?.();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

function actWithModifier(event: KeyboardEvent, key: string): void {
  const match = matchKeys(
    keyboard.active().filter(({ scope }) => scope === "modified"),
    [key],
  );
  if (match.kind !== "act") return;
  event.preventDefault();
  keyboard.action(match.id)?.();
}

function isForPage(event: KeyboardEvent): boolean {
  // The element itself, also in the shadow root of an editor.
  const [target] = event.composedPath();
  return singleKeys.get() === "on" && !(target instanceof HTMLElement && (takesText(target) || isInOverlay(target)));
}

function isSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "search";
}

function takesText(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

/** An open dialog or menu handles the keys. */
function isInOverlay(element: Element): boolean {
  return element.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;
}
