type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls `listener` whenever the server requires a sign-in. */
export function onUnauthorized(listener: Listener): void {
  listeners.add(listener);
}

/** A fetch that reports every 401 to the listeners. */
export const watchingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
};
