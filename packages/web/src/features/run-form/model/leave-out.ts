import type { InputRecord } from "@weft/shared/records/process-record.ts";
import type { InputValues } from "./form-store.ts";

/**
 * The inputs without the elements at some positions of these lists. Undefined if no elements would remain or the
 * positions do not exist.
 */
export function withoutElements(
  values: InputValues,
  lists: readonly Pick<InputRecord, "id">[],
  indexes: readonly number[],
): InputValues | undefined {
  const left = new Set(indexes);
  const found = lists.flatMap(({ id }) => {
    const list: unknown = values[id];
    return Array.isArray(list) ? [[id, list as readonly unknown[]] as const] : [];
  });
  const length = Math.max(0, ...found.map(([, list]) => list.length));
  if (found.length === 0 || left.size >= length || indexes.some((index) => index >= length)) return undefined;
  return { ...values, ...Object.fromEntries(found.map(([id, list]) => [id, list.filter((_, at) => !left.has(at))])) };
}
