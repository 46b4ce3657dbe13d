import type { LinkTarget, PortView, SourceChoice } from "../language/network-gestures.ts";

/** How a source fits, in words. */
export const FIT_TEXTS: { readonly [fit in SourceChoice["fit"]]: string } = {
  direct: "Fits",
  check: "Fits some values; the run checks them",
  scatter: "Run once for each item of",
  list: "As a list of one",
};

/** The gesture that adds a source to a port. */
export function linkOf({ source, fit }: SourceChoice, { sources }: PortView, target: LinkTarget) {
  const all = [...sources, source];
  const isOne = all.length === 1;
  return {
    kind: "link",
    target,
    sources: all,
    ...(isOne && fit === "scatter" ? { scatters: true } : {}),
    ...(isOne && fit === "list" ? { linkMerge: "merge_nested" as const } : {}),
  } as const;
}
