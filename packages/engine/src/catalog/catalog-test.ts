import { basename, join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { readToolTest } from "@weft/language/tool-tests/read-tool-test.ts";
import type { ToolTest } from "@weft/language/tool-tests/tool-test.ts";
import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { TEST_FILE, type CatalogPlace } from "./scan-catalog.ts";

/** A test of a version in the catalog. */
export interface CatalogTest {
  readonly name: string;
  /** `file:` URL. */
  readonly uri: string;
  readonly text: string;
  /** Undefined if the file has an error. */
  readonly test: ToolTest | undefined;
  readonly issues: readonly ValidationIssue[];
}

export async function loadTests(
  place: Pick<CatalogPlace, "folder" | "tests">,
  { reader, toIssue }: { readonly reader: DocumentReader; readonly toIssue: (found: Diagnostic) => ValidationIssue },
): Promise<readonly CatalogTest[]> {
  const folder = pathToUri(join(place.folder, "tests", "/"));
  return Promise.all(
    place.tests.map(async (file) => {
      const uri = folder + encodeURIComponent(file);
      const { test, diagnostics, sources } = await readToolTest(uri, { reader });
      const further = test === undefined ? [] : unsupported(test, uri);
      return {
        name: basename(file).replace(TEST_FILE, ""),
        uri,
        text: sources[0]?.text ?? "",
        test: further.length === 0 ? test : undefined,
        issues: [...diagnostics, ...further].map(toIssue),
      };
    }),
  );
}

/** A server starts runs with the requirements of their documents only. */
function unsupported({ requirements, overrides }: ToolTest, file: string): readonly Diagnostic[] {
  if (requirements.length === 0 && overrides.size === 0) return [];
  const message = "only `weft test` runs tests whose inputs have requirements of their own";
  return [{ severity: "error", code: "unsupported-test", message, file, line: 1, column: 1 }];
}
