import { useEffect, useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { render } from "vitest-browser-react";
import { DeleteButton } from "../delete-button.tsx";
import { keepFocus } from "./keep-focus.ts";

function Rows() {
  const [rows, setRows] = useState(["one", "two", "three"]);
  const [isBarShown, setBarShown] = useState(true);
  const remove = (row: string): void => setRows(rows.filter((other) => other !== row));
  useEffect(keepFocus, []);
  return (
    <main tabIndex={-1}>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <a href={`#${row}`}>{row}</a>
            <button onClick={() => remove(row)}>Remove {row}</button>
            <DeleteButton
              title={`Delete ${row}?`}
              noun={row}
              remove={{ mutate: () => remove(row), isPending: false, error: null }}
            >
              It is gone.
            </DeleteButton>
          </li>
        ))}
      </ul>
      <p>
        {isBarShown ? (
          <button key="clear" onClick={() => setBarShown(false)}>
            Clear
          </button>
        ) : (
          <button key="all" onClick={() => setBarShown(true)}>
            Select all
          </button>
        )}
      </p>
    </main>
  );
}

const button = (name: string) => page.getByRole("button", { name, exact: true });

async function press(target: Locator): Promise<void> {
  const element = await target.findElement();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard("{Enter}");
}

test("the next row has the focus when the row with the focus disappears, and the last one at the end", async () => {
  await render(<Rows />);
  await userEvent.tab();
  await press(button("Remove one"));
  await expect.element(page.getByRole("link", { name: "two" })).toHaveFocus();
  await press(button("Remove three"));
  await expect.element(page.getByRole("link", { name: "two" })).toHaveFocus();
  await press(button("Remove two"));
  await expect.element(button("Clear")).toHaveFocus();
  await press(button("Clear"));
  await expect.element(button("Select all")).toHaveFocus();
});

test("the next row has the focus when a dialog has removed the row that opened it", async () => {
  await render(<Rows />);
  await userEvent.tab();
  await press(button("Delete…").first());
  await press(button("Delete one"));
  await expect.element(page.getByRole("link", { name: "two" })).toHaveFocus();
});

test("a click that removes its button moves no focus", async () => {
  await render(<Rows />);
  await button("Clear").click();
  await expect.element(button("Select all")).not.toHaveFocus();
  expect(document.activeElement).toBe(document.body);
});
