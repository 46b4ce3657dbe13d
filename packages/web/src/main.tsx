import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onUnauthorized } from "./api/client.ts";
import { startLiveConnection } from "./api/live/live-connection.ts";
import { createQueryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import "./index.css";
import { requestPage } from "./routes/page-routes.tsx";

/**
 * A function, because a top-level await deadlocks if the awaited chunk imports from this one, and the bundler decides
 * which modules share a chunk.
 */
async function start(): Promise<void> {
  const root = document.querySelector("#root");
  if (root === null) throw new Error("index.html has no element #root");
  onUnauthorized(() => void import("./sign-in/show-sign-in.tsx").then(({ showSignIn }) => showSignIn()));
  if (location.hash.startsWith("#login=")) await (await import("./sign-in/exchange-code.ts")).exchangeCode();
  const cache = createQueryClient();
  requestPage(cache, location);
  const live = startLiveConnection(cache);
  createRoot(root).render(
    <StrictMode>
      <App cache={cache} live={live} />
    </StrictMode>,
  );
}

void start();
