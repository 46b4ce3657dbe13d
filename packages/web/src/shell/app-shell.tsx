import { useLocation } from "react-router-dom";
import type { LiveConnection } from "../api/live/live-connection.ts";
import { PageRoutes } from "../routes/page-routes.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { useNow } from "../ui/use-now.ts";
import { KeyboardControl } from "./keyboard-control.tsx";
import { SiteHeader } from "./site-header.tsx";
import { useConnectionStatus } from "./use-connection-status.ts";

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
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-360 px-4 py-5 outline-none has-[[data-wide]]:max-w-none md:px-6"
      >
        <ErrorBoundary resetKey={pathname} isPage>
          <PageRoutes />
        </ErrorBoundary>
      </main>
      <KeyboardControl />
    </>
  );
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
