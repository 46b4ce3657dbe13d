import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { graphEdge, graphNode } from "../../testing/graph-record.ts";
import { painted, renderPart } from "../../testing/render-part.tsx";
import type { Connecting } from "./ports/connect-layer.tsx";
import GraphView from "./graph-view.tsx";

const GRAPH: GraphRecord = {
  nodes: ["input:name", "step:greet", "step:count", "output:greeting"].map((id) => graphNode(id)),
  edges: [
    graphEdge("input:name", "step:greet", "name", "name"),
    graphEdge("step:greet", "output:greeting", "greeting", "greeting"),
  ],
};
const port = (name: string, isConnected: boolean) => ({ name, isConnected, isMissing: false, typeText: "File" });
const PORTS = {
  greet: { inputs: [port("name", true)], outputs: [port("greeting", true)] },
  count: { inputs: [port("text", false)], outputs: [port("count", false)] },
};

function Drawing({ connecting }: { readonly connecting?: Connecting }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState("");
  const choosing = {
    chosen,
    isOn: false,
    onToggle: (path: string) => setChosen((old) => old.symmetricDifference(new Set([path]))),
    onAdd: (paths: readonly string[]) => setChosen((old) => old.union(new Set(paths))),
  };
  return (
    <div className="h-[40rem] w-[60rem]">
      <GraphView
        graph={GRAPH}
        name="greetings"
        selected={selected}
        onSelect={setSelected}
        detail={null}
        ports={PORTS}
        choosing={choosing}
        {...(connecting && { connecting })}
      />
      <output aria-label="Chosen">{[...chosen].toSorted().join(" ")}</output>
    </div>
  );
}

async function showDrawing() {
  const onConnect = vi.fn<Connecting["onConnect"]>();
  const compatiblePorts = (source: string) =>
    Promise.resolve(source === "greet/greeting" ? [{ path: "count", port: "text" }] : []);
  await renderPart(<Drawing connecting={{ compatiblePorts, onConnect }} />);
  await expect.element(node("greet")).toBeVisible();
  await page.getByRole("button", { name: "Fit to screen" }).click();
  return onConnect;
}

const node = (path: string) => page.getByCss(`[data-path="${path}"]`);

/** The page listens to the pointer only after it has painted the start of a gesture. */
function send(target: EventTarget, type: string, at: PointerEventInit): void {
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, buttons: 1, pointerId: 1, ...at }));
}

/** Presses at the middle of one element and moves to the middle of another; the button stays down. */
async function dragTo(from: Locator, to: Locator): Promise<(type: string) => void> {
  const source = await from.findElement();
  const [start, end] = [middleOf(source), middleOf(await to.findElement())];
  send(source, "pointerdown", start);
  await painted();
  send(window, "pointermove", end);
  await painted();
  return (type) => send(window, type, end);
}

function middleOf(element: Element): { readonly clientX: number; readonly clientY: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

test("a line that is dragged marks the ports that accept it, and connects one", async () => {
  const onConnect = await showDrawing();
  const release = await dragTo(page.getByCss('[data-connect="greet/greeting"]'), node("count"));
  await expect.element(page.getByCss('[data-port-target="count text"]')).toBeInTheDocument();
  expect(document.querySelectorAll("[data-target]").length).toBe(1);
  release("pointerup");
  await expect.poll(() => onConnect.mock.calls).toEqual([["greet/greeting", { path: "count" }]]);
  expect(document.querySelectorAll("[data-target]").length).toBe(0);
});

test("Escape cancels a line, and a line without a compatible target connects nothing", async () => {
  const onConnect = await showDrawing();
  let release = await dragTo(page.getByCss('[data-connect="greet/greeting"]'), node("count"));
  await expect.element(page.getByCss('[data-target="count"]')).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => document.querySelectorAll("[data-target]").length).toBe(0);
  release("pointerup");
  release = await dragTo(page.getByCss('[data-connect="count/count"]'), node("greet"));
  release("pointerup");
  expect(onConnect).not.toHaveBeenCalled();
});

test("steps are chosen by a box that is drawn with Shift, and one by one with Shift", async () => {
  await showDrawing();
  const graph = page.getByRole("group", { name: /^Graph/ });
  const chosen = page.getByLabelText("Chosen");
  const box = graph.element().getBoundingClientRect();
  const [start, end] = [
    { clientX: box.left + 2, clientY: box.top + 2, shiftKey: true },
    { clientX: box.right - 2, clientY: box.bottom - 2, shiftKey: true },
  ];
  send(graph.element(), "pointerdown", start);
  await painted();
  // No frame is drawn between the last movement and the release.
  send(window, "pointermove", end);
  send(window, "pointerup", end);
  await expect.element(chosen).toHaveTextContent("count greet");
  await node("greet").click({ modifiers: ["Shift"] });
  await expect.element(chosen).toHaveTextContent("count");
});

test("arrow keys lead along the lines from node to node", async () => {
  await showDrawing();
  (node("input:name").element() as HTMLElement).focus(); // a node is a button
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(node("greet")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(node("output:greeting")).toHaveFocus();
});

test("a drawing below much else keeps a height that shows several steps", async () => {
  await page.viewport(1280, 800);
  await renderPart(
    <div className="w-152 pt-140">
      <GraphView graph={GRAPH} name="greetings" selected="" onSelect={() => undefined} detail={null} isNarrow />
    </div>,
  );
  await expect.element(node("greet")).toBeVisible();
  const { height } = page.getByCss("canvas").element().getBoundingClientRect();
  expect(height).toBeGreaterThan(340);
});
