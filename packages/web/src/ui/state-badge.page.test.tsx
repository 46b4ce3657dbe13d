import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { page } from "vitest/browser";
import { JobProgressBar } from "./job-progress-bar.tsx";
import { StateBadge } from "./state-badge.tsx";
import { DurationText, TimeAgo } from "./time-text.tsx";

test("a state has a word, not only a color", async () => {
  await render(<StateBadge state="COMPLETE" note="cached" />);
  await expect.element(page.getByText("Succeeded")).toBeVisible();
  await expect.element(page.getByText("cached")).toBeVisible();
});

test("a progress bar says its numbers", async () => {
  await render(<JobProgressBar counts={{ COMPLETE: 3, RUNNING: 1 }} total={6} />);
  await expect.element(page.getByRole("img", { name: "3 succeeded, 1 running of 6 jobs" })).toBeInTheDocument();
});

test("a time has its exact value, and a duration that has not begun says so", async () => {
  const time = "2026-03-01T10:00:00.000Z";
  await render(
    <>
      <TimeAgo time={time} />
      <DurationText start={null} end={null} durationMs={null} />
      <DurationText start={time} end="2026-03-01T10:01:05.000Z" durationMs={null} />
    </>,
  );
  await expect.element(page.getByRole("time")).toHaveAttribute("datetime", time);
  await expect.element(page.getByText("not started")).toBeVisible();
  await expect.element(page.getByText("1 m 05 s")).toBeVisible();
});
