import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../../testing/render-part.tsx";
import { NoteField } from "./note-field.tsx";

test("a note is kept if its page is left before a pause in typing", async () => {
  const change = vi.fn();
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
  expect(change).toHaveBeenCalledWith("typed");
});
