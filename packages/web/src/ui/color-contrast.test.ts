import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const SOURCES = join(import.meta.dirname, "..");
const STATES = ["queued", "running", "paused", "success", "failed", "canceled", "preempted"] as const;
const TEXTS = ["ink", "soft", "accent", ...STATES];
const SURFACES = ["canvas", "surface", "sunken", "accent-soft"];

/** Contrast of text (WCAG 2.2, 1.4.3) and of the frames of controls (1.4.11). */
const TEXT_RATIO = 4.5;
const FRAME_RATIO = 3;

type Theme = Readonly<Record<string, string>>;

function themes(): { readonly light: Theme; readonly dark: Theme } {
  const css = readFileSync(join(SOURCES, "index.css"), "utf8");
  const colors = [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)];
  const theme = (place: 2 | 3): Theme => Object.fromEntries(colors.map((match) => [match[1], match[place]]));
  return { light: theme(2), dark: theme(3) };
}

function contrast(theme: Theme, front: string, back: string): number {
  const [lighter = 0, darker = 0] = [front, back]
    .map((name) => luminance(theme[name] ?? assert.fail(`there is no color ${name}`)))
    .toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function weakPairs(theme: Theme, pairs: readonly (readonly [string, string])[], wanted: number): string[] {
  return pairs
    .map(([front, back]) => ({ front, back, ratio: contrast(theme, front, back) }))
    .filter(({ ratio }) => ratio < wanted)
    .map(({ front, back, ratio }) => `${front} on ${back}: ${ratio.toFixed(2)}`);
}

for (const [name, theme] of Object.entries(themes())) {
  test(`every color of text is readable on every surface of the ${name} theme`, () => {
    const pairs = TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface] as const));
    assert.deepEqual(weakPairs(theme, pairs, TEXT_RATIO), []);
  });

  test(`each state is readable on its own badge, and buttons on the accent, in the ${name} theme`, () => {
    const badges = STATES.flatMap((state) => [state, "ink"].map((text) => [text, `${state}-soft`] as const));
    assert.deepEqual(weakPairs(theme, [...badges, ["on-accent", "accent"]], TEXT_RATIO), []);
  });

  test(`frames of controls can be seen on every surface of the ${name} theme`, () => {
    const pairs = SURFACES.filter((surface) => surface !== "accent-soft").map((surface) => ["edge", surface] as const);
    assert.deepEqual(weakPairs(theme, pairs, FRAME_RATIO), []);
  });
}

test("no text is made transparent, which would take its contrast away", () => {
  const faded = globSync("**/*.{tsx,css}", { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(join(SOURCES, file), "utf8").matchAll(/\btext-[a-z-]+\/\d+/g)].map(([text]) => `${file}: ${text}`),
  );
  assert.deepEqual(faded, []);
});

test("a pair that is too weak is found", () => {
  assert.deepEqual(weakPairs({ a: "#777777", b: "#ffffff" }, [["a", "b"]], TEXT_RATIO), ["a on b: 4.48"]);
});
