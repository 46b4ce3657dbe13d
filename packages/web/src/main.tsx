import { CSPProvider } from "@base-ui/react/csp-provider";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { followAccount } from "./api/account.ts";
import { basePath } from "./api/base-path.ts";
import { onUnauthorized } from "./api/client.ts";
import { type LiveConnection, startLiveConnection } from "./api/live/live-connection.ts";
import { createQueryClient } from "./api/route-query.ts";
import { notifyOfEnds } from "./components/run/run-notices.ts";
import "./index.css";
import { AppShell } from "./shell/app-shell.tsx";
import { ToastRegion } from "./ui/toast.tsx";
import { ROUTER_PROPS } from "./ui/use-search-param.ts";

/**
 * Starts the app in a function, because a top-level await deadlocks if the awaited chunk imports from this one, and the
 * bundler decides which modules share a chunk.
 */
async function start(): Promise<void> {
  const root = document.querySelector("#root");
  if (root === null) throw new Error("index.html has no element #root");
  const cache = createQueryClient();
  const readAgain = (): void => void cache.invalidateQueries();
  onUnauthorized(() => void import("./sign-in/show-sign-in.tsx").then((page) => page.showSignIn(readAgain)));
  followAccount();
  if (location.hash.startsWith("#login=")) await (await import("./sign-in/show-sign-in.tsx")).exchangeCode();
  const live = startLiveConnection(cache, notifyOfEnds);
  createRoot(root).render(
    <StrictMode>
      <App cache={cache} live={live} />
    </StrictMode>,
  );
}

void start();
void import("./ui/keyboard/keep-focus.ts").then(({ keepFocus }) => keepFocus());

/** The whole app: no style element is ever inserted, because the Content-Security-Policy forbids it. */
function App({ cache, live }: { readonly cache: QueryClient; readonly live: LiveConnection }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={cache}>
        <BrowserRouter {...ROUTER_PROPS} basename={basePath === "" ? "/" : basePath}>
          <AppShell live={live} />
          <ToastRegion />
        </BrowserRouter>
      </QueryClientProvider>
    </CSPProvider>
  );
}
