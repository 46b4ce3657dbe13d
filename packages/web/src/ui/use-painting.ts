import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { onThemeChange } from "./read-colors.ts";

/**
 * Paints a canvas at most once per frame: after every render of the calling component, and when the canvas size or the
 * theme changes.
 */
export function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  paint: (canvas: HTMLCanvasElement) => void,
): void {
  const latest = useRef(paint);
  const request = useRef(() => {});
  useLayoutEffect(() => {
    latest.current = paint;
    request.current();
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let frame = 0;
    request.current = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => latest.current(element));
    };
    request.current();
    const sizes = new ResizeObserver(() => request.current());
    sizes.observe(element);
    const forgetTheme = onThemeChange(() => request.current());
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      forgetTheme();
    };
  }, [canvas]);
}

/** Adjusts the resolution of a canvas to its size on the page; returns its cleared context, scaled to CSS pixels. */
export function startPainting(
  canvas: HTMLCanvasElement,
): { context: CanvasRenderingContext2D; ratio: number } | undefined {
  const ratio = Math.min(2, globalThis.devicePixelRatio);
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null || width === 0 || height === 0) return undefined;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return { context, ratio };
}
