import { expect } from "@playwright/test";

/** How much is painted, once it has stopped changing: pictures are painted after the page has what they show. */
export async function settledInk(inkOf: () => Promise<number>): Promise<number> {
  let [last, same] = [-1, 0];
  const isSettled = async (): Promise<boolean> => {
    const ink = await inkOf();
    same = ink === last ? same + 1 : 0;
    last = ink;
    return last > 0 && same >= 2;
  };
  await expect.poll(isSettled, { intervals: [100] }).toBe(true);
  return last;
}
