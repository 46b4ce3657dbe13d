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

/** The brightness of the first slice of an image, summed up. */
export function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas[role=img]");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    return data?.reduce((sum, value, place) => sum + (place % 4 === 0 ? value : 0), 0) ?? 0;
  });
}
