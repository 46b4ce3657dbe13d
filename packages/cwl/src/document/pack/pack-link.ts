import type { Link } from "../../model/process.ts";

/** Where values come from, under the name that the place has for it. */
export function packLink(
  { source, sourceIsList, linkMerge, pickValue }: Link,
  field: "source" | "outputSource" | "loopSource",
) {
  return { [field]: sourceIsList ? source : source[0], linkMerge, pickValue };
}
