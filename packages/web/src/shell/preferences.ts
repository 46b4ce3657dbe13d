import { Persisted } from "../ui/persisted.ts";

export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The key is also read by theme.js before the first paint. */
export const keptTheme = new Persisted<Theme>(
  "weft-theme",
  (kept) => THEMES.find((theme) => theme === kept) ?? "system",
);

/** Applies and keeps a theme. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  keptTheme.set(theme);
}

/** True if shortcuts of a single character are enabled, which interfere with speech input (WCAG 2.2, 2.1.4). */
export const singleKeys = new Persisted<"on" | "off">("weft-single-keys", (kept) => (kept === "off" ? "off" : "on"));
