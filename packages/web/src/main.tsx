import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startLiveConnection } from "./api/live/live-connection.ts";
import { createQueryClient } from "./api/query-client.ts";
import "./index.css";

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no element #root");
const cache = createQueryClient();
const live = startLiveConnection(cache);
createRoot(root).render(
  <StrictMode>
    <App cache={cache} live={live} />
  </StrictMode>,
);
