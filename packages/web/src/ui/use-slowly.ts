import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** A value that changes no more often than every `ms`; 0: at once. For what costs much to draw. */
export function useSlowly<Value>(value: Value, ms: number): Value {
  const latest = useRef(value);
  const [shown, setShown] = useState(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    if (ms === 0) return;
    const timer = setInterval(() => setShown(latest.current), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return ms === 0 ? value : shown;
}
