import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startLiveConnection } from "./api/live/live-connection.ts";
import { createQueryClient } from "./api/query-client.ts";
import { onUnauthorized } from "./api/unauthorized.ts";
import "./index.css";

/**
 * A function, because a module that waits at its top level for another one waits for ever where that one needs what is
 * in the same file, and which modules share a file is the bundler's business.
 */
async function start(): Promise<void> {
  const root = document.querySelector("#root");
  if (root === null) throw new Error("index.html has no element #root");
  onUnauthorized(() => void import("./sign-in/show-sign-in.tsx").then(({ showSignIn }) => showSignIn()));
  if (location.hash.startsWith("#login=")) await (await import("./sign-in/exchange-code.ts")).exchangeCode();
  const cache = createQueryClient();
  const live = startLiveConnection(cache);
  createRoot(root).render(
    <StrictMode>
      <App cache={cache} live={live} />
    </StrictMode>,
  );
}

void start();
