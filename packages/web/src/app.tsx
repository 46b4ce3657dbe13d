import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { BrowserRouter } from "react-router-dom";
import type { LiveConnection } from "./api/live/live-connection.ts";
import { basePath } from "./api/base-path.ts";
import { AppShell } from "./shell/app-shell.tsx";
import { ToastRegion } from "./ui/toast.tsx";

/** The whole app: no style element is ever inserted, because the Content-Security-Policy forbids it. */
export function App({ cache, live }: { readonly cache: QueryClient; readonly live: LiveConnection }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={cache}>
        <BrowserRouter basename={basePath === "" ? "/" : basePath}>
          <AppShell live={live} />
          <ToastRegion />
        </BrowserRouter>
      </QueryClientProvider>
    </CSPProvider>
  );
}
