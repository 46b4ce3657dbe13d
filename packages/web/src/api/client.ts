import { createClient } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";

const listeners = new Set<Listener>();

/** A fetch that reports every 401 to the listeners. */
export const watchingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
};

/** The one client of the REST API, typed by the route table. */
export const api = createClient(basePath, watchingFetch);

type Listener = () => void;

/** Calls `listener` whenever the server requires a sign-in. */
export function onUnauthorized(listener: Listener): void {
  listeners.add(listener);
}

/** True if a server answers at this address. */
export async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}/healthz`, { cache: "no-store" })).ok;
  } catch {
    return false; // refused connection: the server is gone
  }
}
