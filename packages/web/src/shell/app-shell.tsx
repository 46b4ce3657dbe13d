import { useLocation } from "react-router-dom";
import type { LiveConnection } from "../api/live/live-connection.ts";
import { PageRoutes } from "../routes/page-routes.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { KeyboardControl } from "./keyboard-control.tsx";
import { LiveBanner } from "./live-banner.tsx";
import { SiteHeader } from "./site-header.tsx";

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
