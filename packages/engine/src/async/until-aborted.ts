/**
 * Stops waiting when the signal aborts: rejects with its reason, or returns what `instead` does. The awaited work
 * continues for others.
 */
export function untilAborted<Value, Other = never>(
  promise: Promise<Value>,
  signal: AbortSignal,
  instead: () => Other = () => {
    throw signal.reason;
  },
): Promise<Value | Other> {
  const stopped = Promise.withResolvers<Other>();
  const stop = () => stopped.resolve(Promise.try(instead));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([promise, stopped.promise]).finally(() => signal.removeEventListener("abort", stop));
}
