import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { onDemand } from "./on-demand.tsx";

test("a part loads when it is shown, once, with a placeholder until then", async () => {
  const code = Promise.withResolvers<{ readonly default: () => React.ReactNode }>();
  const load = vi.fn(() => code.promise);
  const Part = onDemand(load, <p>Wait</p>);
  expect(load).not.toHaveBeenCalled();
  await renderPart(
    <>
      <Part />
      <Part />
    </>,
  );
  await expect.element(page.getByText("Wait").first()).toBeVisible();
  code.resolve({ default: () => <p>Ready</p> });
  await expect.element(page.getByText("Ready").nth(1)).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
});

test("a part that does not load is an error of its place", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Part = onDemand<object>(() => Promise.reject(new Error("no such part")));
  await renderPart(
    <ErrorBoundary resetKey="/">
      <Part />
    </ErrorBoundary>,
  );
  await expect.element(page.getByRole("alert")).toMatchTextContent(/no such part/);
});
