import { type DragEvent, useState } from "react";

/** Takes what the user drops on an element; `isOver` while the user drags something over it. */
export function useDrop(take: (dropped: DataTransfer) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: (): void => setIsOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(false);
      take(event.dataTransfer);
    },
  };
  return { isOver, handlers };
}
