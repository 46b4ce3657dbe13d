import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Limits changes of a value to one per `ms`; 0: no limit. For expensive rendering. */
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
