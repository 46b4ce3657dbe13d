// Merges PROV of two runs as RDF (PROV-O) into one graph with the Python package rdflib.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printedVersion } from "../run-tests.mjs";
import { withServer } from "../with-server.mjs";

export const name = "python3-rdflib";
export const about = "PROV-O of two runs is one graph: contents meet, activities do not";

export function version() {
  const script = "import prov, rdflib; print(rdflib.__version__)";
  return printedVersion(spawnSync("python3", ["-c", script], { encoding: "utf8" }));
}

const MERGE = `
import sys
from prov.model import ProvDocument
from rdflib import Graph, RDF, Namespace
PROV = Namespace("http://www.w3.org/ns/prov#")
graphs = []
for path in sys.argv[1:]:
    turtle = ProvDocument.deserialize(path).serialize(format="rdf", rdf_format="turtle")
    graphs.append(Graph().parse(data=turtle, format="turtle"))
def contents(graph):
    return {str(one) for one in graph.subjects(RDF.type, PROV.Entity) if str(one).startswith("ni:///sha-256;")}
def activities(graph):
    return {str(one) for one in graph.subjects(RDF.type, PROV.Activity)}
first, second = graphs
merged = first + second
assert contents(first) & contents(second), "the runs share no content"
assert not activities(first) & activities(second), "activities collide"
assert len(activities(merged)) == len(activities(first)) + len(activities(second))
for content in contents(merged):
    assert content in contents(first) | contents(second)
`;

export function checks() {
  return withServer(async (server, folder) => {
    const body = { network: "practice-load", inputs: { count: 2, seconds: 0 }, options: { cache: "off" } };
    const paths = [];
    for (const at of [0, 1]) {
      const { run_id: runId } = await server.runToEnd(body);
      const answer = await fetch(`${server.address}/api/runs/${runId}/provenance?format=prov-json`);
      paths.push(join(folder, `${at}.json`));
      writeFileSync(paths[at], await answer.text());
    }
    const { status, stderr } = spawnSync("python3", ["-c", MERGE, ...paths], { encoding: "utf8" });
    const what = "PROV-O of two runs is one graph: contents meet, activities do not";
    return [
      status === 0 ? { what, result: "works" } : { what, result: "fails", note: stderr.trim().split("\n").at(-1) },
    ];
  });
}
