type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls `listener` whenever the server wants to know who asks. */
export function onUnauthorized(listener: Listener): void {
  listeners.add(listener);
}

/** A fetch that tells those who listen of every 401. */
export const watchingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
};
