import { giveWay } from "@weft/engine/async/give-way.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Copies a JSON value and applies `replace` to every object of the class File. Yields in between. */
export async function replaceFiles(value: unknown, replace: (file: Fields) => Fields): Promise<unknown> {
  const copy = async (item: unknown): Promise<unknown> => {
    if (typeof item !== "object" || item === null) return item;
    const due = giveWay();
    if (due !== undefined) await due;
    if (Array.isArray(item)) {
      const list: unknown[] = [];
      // Awaiting values that are not objects would cost a promise each.
      for (const one of item) list.push(isObject(one) ? await copy(one) : one);
      return list;
    }
    const fields: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(item)) fields[key] = isObject(field) ? await copy(field) : field;
    return fields["class"] === "File" ? replace(fields) : fields;
  };
  return copy(value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
