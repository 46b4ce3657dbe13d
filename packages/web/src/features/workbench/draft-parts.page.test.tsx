import type { Draft } from "@weft/shared/records/draft-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { DraftHeading } from "./draft-heading.tsx";
import DraftFiles from "./files/draft-files.tsx";
import { DraftSession, type SavedDraft } from "./saving/draft-session.ts";

const DRAFT: Draft = {
  ...{ draft_id: "7d3f1f0e-2b64-4c55-8d0a-6f9e3b7a1c20", kind: "tool", id: "greet", based_on: null, group_id: null },
  ...{ planned_version: null, revision: 1, path: "tools/greet/1.0.0/greet.cwl", text: "class: CommandLineTool\n" },
  ...{ created_at: "2026-03-01T10:00:00Z", created_by: "ann", updated_at: "2026-03-01T10:00:00Z", updated_by: "ann" },
};

/** A session whose server keeps files in memory and accepts every change. */
function sessionInMemory(): DraftSession {
  const files = new Map<string, string>();
  let saved: SavedDraft = { revision: DRAFT.revision, text: DRAFT.text, by: "ann" };
  const save = (text: string): SavedDraft => (saved = { ...saved, revision: saved.revision + 1, text });
  return new DraftSession(saved, {
    server: {
      load: async () => saved,
      loadFile: async (path) => files.get(path),
      save: async (text) => save(text),
      changeFiles: async (changes) => {
        for (const change of changes) if (change.do === "write") files.set(change.path, change.text);
        return save(saved.text);
      },
    },
    unsaved: { read: () => undefined, write: () => undefined },
    clock: { nowMs: () => 0, schedule: () => () => undefined },
  });
}

test("a new test begins with its parts, and a new script is empty", async () => {
  await renderPart(<DraftFiles draft={DRAFT} session={sessionInMemory()} />, {
    answers: { "GET /api/drafts/{draft_id}/files": () => ({ revision: 1, files: [], removed: [] }) },
  });
  const add = async (path: string): Promise<void> => {
    await page.getByRole("textbox", { name: "New file" }).fill(path);
    await page.getByRole("button", { name: "Add file" }).click();
  };
  await add("tests/small.yml");
  const text = page.getByRole("textbox", { name: "Text of tests/small.yml" });
  await expect.element(text).toMatchTextContent(/^#.*inputs: \{\}outputs: \{\}$/);
  await page.getByRole("button", { name: "All files" }).click();
  await add("run.sh");
  await expect.element(page.getByRole("textbox", { name: "Text of run.sh" })).toHaveTextContent("");
});

const CASES: readonly (readonly [names: readonly string[], text: string])[] = [
  [[], ""],
  [["ann"], "You have another window with this draft"],
  [["ann", "bob", "bob"], "bob is also editing"],
  [["bob", "cem"], "bob, cem are also editing"],
  [["bob", "cem", "dora", "eve", "finn"], "bob, cem, dora and 2 more are also editing"],
];

for (const [names, text] of CASES)
  test(`the heading of a draft tells ann about the windows of ${names.join(", ") || "nobody"}`, async () => {
    await renderPart(<DraftHeading draft={DRAFT} session={sessionInMemory()} />, {
      answers: {
        "POST /api/drafts/{draft_id}/editors": () => ({ editors: names.map((name) => ({ name })) }),
        "GET /api/session": () => ({
          ...({ auth: "token", principal: "ann", role: "author" } as const),
          ...{ workbench: true, expires_at: null },
        }),
      },
    });
    await expect.element(page.getByRole("status", { name: "Other editors" })).toHaveTextContent(text);
    await expect.element(page.getByText("Saved", { exact: true })).toBeVisible();
  });
