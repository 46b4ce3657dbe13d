import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ToastRegion } from "../../ui/toast.tsx";
import { refusal, renderPart, SESSION } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import { AbortButton, PauseButton } from "./run-controls.tsx";
import { TimeLeft } from "./time-left.tsx";
import { VerdictView } from "./verdict-view.tsx";

const WAITS = "Its jobs wait for jobs of other runs.";
const RUNNING = runRecord("r", { state: "RUNNING", outcome: null, end_time: null, name: "Night" });

test("a run is aborted only after a question, and a refusal names the run", async () => {
  const asked: string[] = [];
  await renderPart(
    <>
      <AbortButton run={RUNNING} />
      <PauseButton run={RUNNING} />
      <ToastRegion />
    </>,
    {
      answers: {
        "GET /api/session": () => SESSION,
        "DELETE /api/runs/{run_id}": ({ params }) => {
          asked.push(params["run_id"] ?? "");
          return refusal({ detail: "the disk is full" });
        },
        "POST /api/runs/{run_id}/pause": () => refusal({ detail: "it is ending" }),
      },
    },
  );
  await page.getByRole("button", { name: "Abort Night" }).click();
  await page.getByRole("button", { name: "Go back" }).click();
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Abort Night" }).click();
  await page.getByRole("button", { name: "Abort the run" }).click();
  await expect.element(page.getByText("Night could not be aborted: the disk is full").first()).toBeVisible();
  expect(asked).toEqual(["r"]);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.element(page.getByText("Night could not be paused: it is ending").first()).toBeVisible();
});

test("the time left of a run that waits for others is unknown, with the reason", async () => {
  await renderPart(<TimeLeft run={RUNNING} />, {
    answers: {
      "GET /api/runs/{run_id}/forecast": () => ({
        ...{ run_id: "r", as_of: "2026-11-21T10:00:00.000Z", runs_before: 1, steps: [] },
        ...{ left: null, unknown: WAITS },
      }),
    },
  });
  await expect.element(page.getByText("Time left unknown")).toHaveAttribute("title", WAITS);
});

test("a verdict is a word, a sentence and all differences, and leads to the first diverging job", async () => {
  const verdict = {
    ...({ result: "different", sentence: "1 of 2 outputs differ.", same_document: true } as const),
    ...{ inputs_compared: 1, outputs_compared: 2, inputs: [], surroundings: ["another container"] },
    outputs: [{ name: "table", result: "different", detail: "line 2: 1 and 2" }] as const,
    first_difference: { step: "measure", job_id: "measure-0", sample_id: null, output: "table" } as never, // what is shown
  };
  await renderPart(<VerdictView verdict={{ ...verdict, outputs: [...verdict.outputs] }} runId="r" />);
  await expect.element(page.getByText("Different. 1 of 2 outputs differ.")).toBeVisible();
  await expect.element(page.getByRole("row").nth(1)).toHaveTextContent("tabledifferentline 2: 1 and 2");
  await expect.element(page.getByRole("listitem")).toHaveTextContent("another container");
  const link = page.getByRole("link", { name: "First diverging job" });
  await expect.element(link).toHaveAttribute("href", "/run/r?tab=jobs&job=measure-0");
});
