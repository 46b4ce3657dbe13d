import type { Way } from "../language/network-gestures.ts";

/** What a way to connect two ports does, in words. */
export function wayText(way: Way): string {
  const { replaces } = way;
  const text = howText(way);
  return replaces.length === 0 ? text : `${text}, instead of ${replaces.join(" and ")}`;
}

function howText({ kind, source, typeText, format = "" }: Way): string {
  switch (kind) {
    case "direct":
      return "Use it as it is";
    case "format":
      return `Use it, and declare that ${source} has the format ${format}`;
    case "check":
      return `Use it; the run checks whether each ${typeText} fits`;
    case "scatter":
      return "Run the step once for each item";
    case "pair":
      return "Run the step once for each item, paired with the other items in order";
    case "cross":
      return "Run the step once for each combination with the other items";
    case "list":
      return "Use it as a list of one";
    case "nested":
      return "Make a list of all sources";
    case "joined":
      return "Join all sources into one list";
    case "first":
      return "Use the first source that is not missing";
    case "only":
      return "Use the only source that is not missing";
  }
}
