import { useSyncExternalStore, type ComponentType, type ReactNode } from "react";

interface Loaded<Props> {
  readonly Part?: ComponentType<Props>;
  readonly error?: unknown;
}

/**
 * A component whose code loads when it is first rendered, or earlier with `preload`. It appears as soon as its code is
 * there; React reveals nothing in a Suspense boundary until 300 ms after the previous placeholder.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: ReactNode = null,
) {
  let loaded: Loaded<Props> = {};
  let loading: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const finish = (result: Loaded<Props>): void => {
    loaded = result;
    for (const listener of listeners) listener();
  };
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      ({ default: Part }) => finish({ Part }),
      (error: unknown) => finish({ error }),
    ));
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  function OnDemand(props: Props): ReactNode {
    const { Part, error } = useSyncExternalStore(subscribe, () => loaded);
    if (error !== undefined) throw error;
    if (Part !== undefined) return <Part {...props} />;
    void preload();
    return placeholder;
  }
  return Object.assign(OnDemand, { preload });
}
