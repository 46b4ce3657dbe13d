import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { CodeBlock } from "./code-block.tsx";

test("the text of a block is copied, and its button says so until it loses the focus", async () => {
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await render(<CodeBlock label="Command" text="weft run a.cwl" />);
  const block = page.getByRole("region", { name: "Command" });
  await expect.element(block).toHaveTextContent("weft run a.cwl");
  await page.getByRole("button", { name: "Copy" }).click();
  expect(write).toHaveBeenCalledExactlyOnceWith("weft run a.cwl");
  await expect.element(page.getByRole("button", { name: "Copied" })).toHaveFocus();
  await userEvent.keyboard("{Tab}");
  await expect.element(page.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
  await expect.element(block).toHaveFocus();
});

test("the output of a command cannot be copied", async () => {
  await render(<CodeBlock label="Output" text="done" isOutput role="group" />);
  await expect.element(page.getByRole("group", { name: "Output" })).toHaveTextContent("done");
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});
