import type { Draft, DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { pasteInto, renderPart, SESSION } from "../../testing/render-part.tsx";
import { DraftHeading } from "./draft-heading.tsx";
import TextEditor from "./editor/text-editor.tsx";
import DraftFiles from "./files/draft-files.tsx";
import type { LanguageClient } from "./language/language-client.ts";
import { actOnDraft } from "./saving/act-on-draft.ts";
import { DOCUMENT, DraftSession, type SavedDraft } from "./saving/draft-session.ts";
import { useDraftSession } from "./saving/use-draft-session.ts";

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
      hasFile: async () => false,
      save: async ({ text = saved.text, changes }) => {
        for (const change of changes) if (change.do === "write") files.set(change.path, change.text);
        return save(text);
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

test("the keyboard leaves the editor with Escape and Tab, and the editor says so", async () => {
  await renderPart(
    <>
      <TextEditor session={sessionInMemory()} path={DOCUMENT} label="Document" />
      <button type="button">Next part</button>
    </>,
  );
  const text = page.getByRole("textbox", { name: "Document" });
  await expect.element(text).toHaveAccessibleDescription(/Escape, then Tab/);
  await text.click();
  const next = page.getByRole("button", { name: "Next part" });
  await userEvent.keyboard("{Tab}");
  await expect.element(next).not.toHaveFocus();
  await userEvent.keyboard("{Escape}{Tab}");
  await expect.element(next).toHaveFocus();
});

test("a name is renamed in the text in which the user chose it", async () => {
  const onRename = vi.fn();
  const nameAt = vi.fn(async () => "CommandLineTool");
  // The editor asks for nothing else here. eslint-disable-next-line typescript/no-unsafe-type-assertion
  const language = { nameAt } as unknown as LanguageClient;
  const session = sessionInMemory();
  await renderPart(<TextEditor session={session} path={DOCUMENT} label="Document" service={{ language, onRename }} />);
  await page.getByRole("textbox", { name: "Document" }).click();
  const { text } = session;
  await userEvent.keyboard("{F2}");
  await expect.poll(() => onRename.mock.calls).toEqual([["CommandLineTool", expect.any(Number), text]]);
});

test("an action waits for a change of the drawing that is being computed", async () => {
  const session = sessionInMemory();
  const drawing = Promise.withResolvers<void>();
  void session.compute(async () => {
    await drawing.promise;
    session.edit("", "class: CommandLineTool\ndoc: drawn\n");
  });
  const saved = actOnDraft(session, async () => session.text);
  drawing.resolve();
  expect(await saved).toContain("doc: drawn");
});

for (const end of ["\n", "\r\n"])
  test(`the lines of a script end with ${JSON.stringify(end)} as before, also after a paste from Windows and under another name`, async () => {
    const Files = () => (
      <DraftFiles draft={DRAFT} session={useDraftSession({ ...DRAFT, draft_id: `lines-${end.length}` })} />
    );
    const texts = new Map([["run.sh", `echo a${end}`]]);
    let revision = 1;
    await renderPart(<Files />, {
      answers: {
        "GET /api/drafts/{draft_id}/files": () => ({
          revision,
          files: [...texts].map(([path, text]) => ({ path, bytes: text.length, state: "new" as const })),
          removed: [],
        }),
        "GET /api/drafts/{draft_id}/files/{path}": ({ params: { path = "" } }) => ({
          path,
          text: texts.get(path) ?? "",
          base_text: null,
        }),
        "POST /api/drafts/{draft_id}/files": ({ body }) => {
          // The session sent it. eslint-disable-next-line typescript/no-unsafe-type-assertion
          for (const change of (body as { readonly changes: readonly DraftFileChange[] }).changes) {
            if (change.do === "write") texts.set(change.path, change.text);
            if (change.do === "rename") texts.set(change.to, texts.get(change.path) ?? "");
            if (change.do !== "write") texts.delete(change.path);
          }
          revision += 1;
          return { ...DRAFT, revision };
        },
      },
    });
    await page.getByRole("button", { name: "run.sh", exact: true }).click();
    await expect.element(page.getByRole("textbox", { name: "Text of run.sh" })).toHaveTextContent("echo a");
    await page.getByRole("button", { name: "All files" }).click();
    await page.getByRole("button", { name: "Rename run.sh" }).click();
    await page.getByRole("textbox", { name: "New path of run.sh" }).fill("go.sh");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("button", { name: "go.sh", exact: true }).click();
    const text = page.getByRole("textbox", { name: "Text of go.sh" });
    await expect.element(text).toHaveTextContent("echo a");
    await pasteInto(text, "echo b\r\necho c\r\n");
    await expect.poll(() => texts.get("go.sh")).toBe(["echo b", "echo c", "echo a", ""].join(end));
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
        "GET /api/session": () => ({ ...SESSION, principal: "ann" }),
      },
    });
    await expect.element(page.getByRole("status", { name: "Other editors" })).toHaveTextContent(text);
    await expect.element(page.getByText("Saved", { exact: true })).toBeVisible();
  });
