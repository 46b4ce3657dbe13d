import { expect, test } from "vitest";
import { rankEntries, type PaletteEntry } from "./command-palette.tsx";

const act = (): void => undefined;
const entries: PaletteEntry[] = [
  { group: "On this page", label: "Tab: Outputs", act },
  { group: "Pages", label: "Runs", words: ["jobs"], act },
  { group: "Pages", label: "Shut down", act },
  { group: "Networks", label: "Imaging cohort", detail: "imaging-cohort", act },
  { group: "Networks", label: "Phantom cohort", detail: "phantom-cohort", act },
];

test("rankEntries", () => {
  const cases: [string, string[]][] = [
    ["", entries.map(({ label }) => label)],
    ["run", ["Runs"]],
    ["JOBS", ["Runs"]],
    ["coh ima", ["Imaging cohort"]],
    ["out", ["Tab: Outputs"]],
    ["ut", ["Tab: Outputs", "Shut down"]],
    ["down", ["Shut down"]],
    ["ph", ["Phantom cohort"]],
    ["nothing", []],
  ];
  for (const [q, labels] of cases) {
    const found = rankEntries(entries, q).map(({ label }) => label);
    expect(found, q).toEqual(labels);
  }
});

test("ranks a word that begins with the query before one that only contains it", () => {
  const tools: PaletteEntry[] = ["unsmooth", "smooth"].map((label) => ({ group: "Tools", label, act }));
  const found = rankEntries(tools, "smooth").map(({ label }) => label);
  expect(found).toEqual(["smooth", "unsmooth"]);
});
