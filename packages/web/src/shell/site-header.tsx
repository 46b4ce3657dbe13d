import { Link, useLocation } from "react-router-dom";
import type { LiveConnection } from "../api/live/live-connection.ts";
import { Icon } from "../ui/icon.tsx";
import { keyboard } from "../ui/keyboard/keyboard-registry.ts";
import { ConnectionDot } from "./connection-dot.tsx";
import { Logo } from "./logo.tsx";
import { modifierName } from "./modifier-name.ts";
import { isCurrent, NAV_ENTRIES } from "./nav-entries.ts";
import { RunningBadge } from "./running-badge.tsx";
import { onDemand } from "../ui/on-demand.tsx";

const HeaderMenus = onDemand(() => import("./header-menus.tsx"));

/** The bar on top of every page: 52 px high. */
export function SiteHeader({ live }: { readonly live: LiveConnection }) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className="flex h-13 items-center gap-1 px-4 md:px-6">
        <Link to="/" className="mr-3 flex items-center gap-2 text-[1.0625rem] font-bold tracking-tight">
          <Logo /> Weft
        </Link>
        <MainNav />
        <div className="ml-auto flex items-center gap-1.5">
          <SearchButton />
          <RunningBadge />
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
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      className="btn btn-quiet px-2 text-soft max-md:min-w-11 lg:border-line lg:bg-canvas"
      onClick={() => keyboard.action("palette")?.()}
    >
      <Icon name="search" />
      <span className="font-normal max-lg:sr-only">Search…</span>
      <kbd className="code text-[0.75rem] max-lg:hidden">{modifierName()} K</kbd>
    </button>
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
