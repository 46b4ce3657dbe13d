/** Undefined for what is no JSON: the schema that it is held against next says so. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
