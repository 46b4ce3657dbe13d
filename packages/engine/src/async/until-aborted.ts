/** Stops waiting when the signal aborts, and rejects with its reason. The awaited work continues for others. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([promise, stopped.promise]).finally(() => signal.removeEventListener("abort", stop));
}
