import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { CheckField, Checkbox, Field, InlineField, Input, RadioField, Select, useTextOf } from "./field.tsx";

test("a field names its control, with a hint after it", async () => {
  await render(
    <>
      <Field label="Name" hint="Unique in this folder">
        <Input name="name" />
      </Field>
      <InlineField label="Archived">
        <Checkbox />
      </InlineField>
    </>,
  );
  await expect.element(page.getByRole("textbox", { name: "Name Unique in this folder" })).toBeVisible();
  await page.getByText("Archived").click();
  await expect.element(page.getByRole("checkbox", { name: "Archived" })).toBeChecked();
});

test("a checkbox and a choice pass what the user chooses, and an option can be off", async () => {
  const chosen: unknown[] = [];
  const options = [
    { id: "hook", label: "Webhook" },
    { id: "mail", label: "Email", isOff: true },
    { id: "feed", label: "Feed" },
  ];
  await render(
    <>
      <CheckField onCheck={(isOn) => chosen.push(isOn)}>Publish anyway</CheckField>
      <RadioField legend="By" options={options} chosen="hook" onChoose={(id) => chosen.push(id)} />
    </>,
  );
  await page.getByText("Publish anyway").click();
  const group = page.getByRole("group", { name: "By" });
  await expect.element(group.getByRole("radio", { name: "Webhook" })).toBeChecked();
  await expect.element(group.getByRole("radio", { name: "Email" })).toBeDisabled();
  await group.getByText("Feed").click();
  expect(chosen).toEqual([true, "feed"]);
});

test("an input proposes values, and takes others", async () => {
  const proposals = [{ id: "a/first", label: "First" }, { id: "last" }];
  await render(<Input aria-label="Step" proposals={proposals} />);
  const input = page.getByRole("combobox", { name: "Step" });
  await input.fill("other");
  await expect.element(input).toHaveValue("other");
  const list = document.getElementById((await input.findElement()).getAttribute("list") ?? "");
  expect([...(list?.querySelectorAll("option") ?? [])].map((option) => option.value)).toEqual(["a/first", "last"]);
});

function Choice() {
  const [chosen, choose] = useState<"" | 1 | 10>("");
  const options = [
    { id: 1, label: "One" },
    { id: 10, label: "Ten" },
  ] as const;
  return (
    <>
      <Select<"" | 1 | 10> aria-label="Speed" value={chosen} none="Any" options={options} onChoose={choose} />
      <output>{JSON.stringify(chosen)}</output>
    </>
  );
}

test("a select gives the value of the chosen option, with its type, or that for none", async () => {
  await render(<Choice />);
  const select = page.getByRole("combobox", { name: "Speed" });
  await select.selectOptions("Ten");
  await expect.element(page.getByRole("status")).toHaveTextContent("10");
  await select.selectOptions("Any");
  await expect.element(page.getByRole("status")).toHaveTextContent('""');
});

function Text({ value }: { readonly value: string }) {
  const [text, setText] = useTextOf(value);
  return <Input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}

test("typed text stays until the value behind it changes", async () => {
  const screen = await render(<Text value="a" />);
  const input = page.getByRole("textbox", { name: "Text" });
  await userEvent.type(input, "b");
  await screen.rerender(<Text value="a" />);
  await expect.element(input).toHaveValue("ab");
  await screen.rerender(<Text value="c" />);
  await expect.element(input).toHaveValue("c");
});

test("an empty field that the browser scrolls to is not behind the bars of the page", async () => {
  await render(
    <form aria-label="Run" className="pt-200 pb-200">
      <Field label="Name">
        <Input required />
      </Field>
    </form>,
  );
  const form = page.getByRole("form").element() as HTMLFormElement;
  const field = page.getByLabelText("Name").element();
  for (const edge of [0, 10_000]) {
    scrollTo(0, edge);
    form.reportValidity();
    await expect.poll(() => field.getBoundingClientRect().top).toBeGreaterThan(100);
    expect(field.getBoundingClientRect().bottom).toBeLessThan(innerHeight - 90);
  }
});
