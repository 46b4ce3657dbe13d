import { cssColour, readColours } from "../../../ui/read-colours.ts";

export interface PlotColours {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly outlier: string;
  readonly groups: readonly string[];
}

/** Colors that people with color blindness can tell apart (Okabe and Ito), darker on light pages. Groups also differ by shape. */
const LIGHT = ["#0072b2", "#b35900", "#007a5a", "#a3507f", "#5b6770", "#8a7400", "#2f7ea8", "#7a3e9d"];
const DARK = ["#56b4e9", "#f0a44b", "#3fcf9f", "#e39bc4", "#b8c2cc", "#f0e442", "#8fd0f5", "#c79be8"];

export function plotColours(near: HTMLElement): PlotColours {
  const read = readColours(near, ["ink", "soft", "line", "surface", "failed"]);
  const [red, green, blue] = read("surface");
  return {
    ink: cssColour(read("ink")),
    soft: cssColour(read("soft")),
    line: cssColour(read("line")),
    surface: cssColour(read("surface")),
    outlier: cssColour(read("failed")),
    groups: red + green + blue > 384 ? LIGHT : DARK,
  };
}
