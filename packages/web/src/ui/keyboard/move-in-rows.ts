/** Focuses the link or button of the next (1) or previous (-1) row in the page's lists. */
export function moveInRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("main [data-rows] > *")];
  const targets = rows.flatMap((row) => row.querySelector<HTMLElement>("a, button") ?? []);
  const at = rows
    .filter((row) => row.querySelector("a, button") !== null)
    .findIndex((row) => row.contains(document.activeElement));
  const target = targets[at < 0 ? (step > 0 ? 0 : targets.length - 1) : at + step];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}
