import type { Network, Tool } from "@weft/shared/records/process-record.ts";
import { ParameterTables } from "../components/process/parameter-tables.tsx";
import type { RunTarget } from "../components/run-form/run-target.ts";
import { SourceView } from "../components/process/source-view.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ProcessTests, StartRun } from "./tab-views.tsx";

/** The tabs that the pages of networks and tools share, and the content of the one that runs them. */
export function processTabs(process: Network | Tool, target: RunTarget) {
  const { inputs, outputs, source, validation } = process;
  const { kind, id, version } = target;
  const isValid = validation.status !== "invalid";
  const problem = `Fix the errors of the document to run this ${kind}.`;
  const tests = <ProcessTests process={{ kind, id, version }} isValid={isValid} />;
  return {
    run: isValid ? <StartRun target={target} /> : <EmptyState text={problem} />,
    io: { id: "io", label: "Inputs & outputs", content: <ParameterTables inputs={inputs} outputs={outputs} /> },
    source: { id: "source", label: "Source", content: <SourceView source={source} issues={validation.issues} /> },
    tests: { id: "tests", label: "Tests", content: tests },
  };
}
