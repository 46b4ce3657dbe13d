import type { Network, NetworkSummary } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import NewAutomation from "./new-automation.tsx";

const IMAGE = { class: "File", location: "weft-data://study/a.nii" };
const EXAMPLES: Readonly<Record<string, Network["examples"][number]["inputs"]>> = {
  cohort: { images: [IMAGE], fwhm_mm: 6 },
  greeting: { name: "Ann" },
  files: { images: [IMAGE] },
};

async function showForm() {
  await renderPart(<NewAutomation onClose={() => undefined} />, {
    answers: {
      "GET /api/networks": () => {
        const networks = Object.keys(EXAMPLES).map((id) => ({ id }) as NetworkSummary); // the field that the form shows
        return { networks, total: networks.length, next_page_token: "" };
      },
      "GET /api/networks/{id}": ({ params: { id = "" } }) =>
        ({ id, examples: [{ name: "first", inputs: EXAMPLES[id] }] }) as unknown as Network, // as above
      "GET /api/dataset-queries": () => Response.json({ queries: [] }),
      "GET /api/server": () => Response.json({ sinks: [] }),
    },
  });
}

for (const [network, placeholder] of [
  ["cohort", '{ "fwhm_mm": 6 }'],
  ["greeting", '{ "name": "Ann" }'],
  ["files", ""],
] as const)
  test(`the example of other inputs is one that the network ${network} has`, async () => {
    await showForm();
    await page.getByRole("combobox", { name: "Run the network" }).selectOptions(network);
    const inputs = page.getByRole("textbox", { name: /^Other inputs/ });
    await expect.poll(() => inputs.element().getAttribute("placeholder") ?? "").toBe(placeholder);
    await expect
      .element(page.getByRole("link", { name: "Save a query of a dataset (new tab)" }))
      .toHaveAttribute("href", "/datasets");
  });

test("Escape asks before it drops a form that was filled in", async () => {
  await showForm();
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly");
  await userEvent.keyboard("{Escape}");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(page.getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");
});
