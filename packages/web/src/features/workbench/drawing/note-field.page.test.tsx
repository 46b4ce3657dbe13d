import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../../../testing/render-part.tsx";
import { NoteField } from "./note-field.tsx";

test("a note is kept if its page is left before a pause in typing", async () => {
  const change = vi.fn(async () => true);
  const Page = () => {
    const [isOpen, setIsOpen] = useState(true);
    globalThis.addEventListener("popstate", () => setIsOpen(false), { once: true });
    return isOpen ? <NoteField label="Note" note={undefined} onChange={change} /> : <p>Another page</p>;
  };
  await renderPart(<Page />);
  const closing = new Event("beforeunload", { cancelable: true });
  globalThis.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(false);
  await page.getByRole("textbox", { name: "Note" }).fill("typed");
  const early = new Event("beforeunload", { cancelable: true });
  globalThis.dispatchEvent(early);
  expect(early.defaultPrevented).toBe(true);
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
  await expect.element(page.getByText("Another page")).toBeVisible();
  expect(change).toHaveBeenCalledWith("typed", expect.anything());
});

test("a text that someone else has changed meanwhile is not replaced unseen", async () => {
  const change = vi.fn(async () => true);
  const Both = () => {
    const [note, setNote] = useState("before");
    globalThis.addEventListener("popstate", () => setNote("theirs"), { once: true });
    return <NoteField label="Note" note={note} onChange={change} />;
  };
  await renderPart(<Both />);
  const field = page.getByRole("textbox", { name: "Note" });
  await field.fill("mine");
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
  const both = page.getByRole("alert");
  await expect.element(both).toMatchTextContent(/theirs/);
  await userEvent.tab();
  await expect.element(field).toHaveValue("mine");
  expect(change).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Keep my text" }).click();
  await expect.poll(() => change.mock.calls).toEqual([["mine", false]]);
  await expect.element(both).not.toBeInTheDocument();
});

test("a field shows the text that someone else gives it after its own is in the document", async () => {
  const Both = () => {
    const [note, setNote] = useState<string | undefined>("before");
    globalThis.addEventListener("popstate", () => setNote("theirs"), { once: true });
    return <NoteField label="Note" note={note} onChange={async (text) => (setNote(text), true)} />;
  };
  await renderPart(<Both />);
  const field = page.getByRole("textbox", { name: "Note" });
  await field.fill("mine ");
  await userEvent.tab();
  await expect.element(field).toHaveValue("mine");
  await field.fill("mine, too");
  await userEvent.tab();
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
  await expect.element(field).toHaveValue("theirs");
});
