import { useEffect, useEffectEvent } from "react";

/** Follows a pointer that was pressed, wherever it moves. */
interface PointerHandlers {
  readonly move: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  /** The pointer is lost, or Escape was pressed. */
  readonly giveUp: () => void;
}

/** Follows a pointer in the whole window while `isDown`. */
export function useWindowPointer(isDown: boolean, handlers: PointerHandlers): void {
  const move = useEffectEvent(handlers.move);
  const up = useEffectEvent(handlers.up);
  const giveUp = useEffectEvent(handlers.giveUp);
  useEffect(() => {
    if (!isDown) return;
    const stop = new AbortController();
    const { signal } = stop;
    globalThis.addEventListener("pointermove", (event) => move(event), { signal });
    globalThis.addEventListener("pointerup", (event) => up(event), { signal });
    globalThis.addEventListener("pointercancel", () => giveUp(), { signal });
    globalThis.addEventListener("keydown", (event) => event.key === "Escape" && giveUp(), { signal });
    return () => stop.abort();
  }, [isDown]);
}
