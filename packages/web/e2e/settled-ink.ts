import { expect, type Page } from "@playwright/test";
import { painted } from "./layout-shift.ts";

/** How much is painted, once it has stopped changing: pictures are painted after the page has what they show. */
export async function settledInk(page: Page, inkOf: (page: Page) => Promise<number>): Promise<number> {
  let [last, same] = [-1, 0];
  const isSettled = async (): Promise<boolean> => {
    await painted(page);
    const ink = await inkOf(page);
    same = ink === last ? same + 1 : 0;
    last = ink;
    return last > 0 && same >= 2;
  };
  await expect.poll(isSettled, { intervals: [100] }).toBe(true);
  return last;
}

interface Pixels {
  /** How many pixels are painted. */
  readonly painted: number;
  /** Sum and maximum of their red. */
  readonly brightness: number;
  readonly brightest: number;
}

/** The pixels of all canvases that a selector finds. Reads copies, because Chromium warns about a painted one that is read. */
export function pixelsOf(page: Page, selector: string): Promise<Pixels> {
  return page.evaluate((wanted) => {
    const found = { painted: 0, brightness: 0, brightest: 0 };
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(wanted)) {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d", { willReadFrequently: true });
      context?.drawImage(canvas, 0, 0);
      const { data = [] } = context?.getImageData(0, 0, copy.width, copy.height) ?? {};
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, opacity = 0] = [data[at], data[at + 3]];
        if (opacity > 0) found.painted += 1;
        found.brightness += red;
        found.brightest = Math.max(found.brightest, red);
      }
    }
    return found;
  }, selector);
}

/** The brightness of the first slice of an image, summed up. */
export async function brightness(page: Page): Promise<number> {
  return (await pixelsOf(page, "canvas[role=img]")).brightness;
}
