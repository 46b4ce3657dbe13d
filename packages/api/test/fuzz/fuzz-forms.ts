import type { FuzzedRequest } from "./fuzz-request.ts";
import type { ValueOptions } from "./fuzz-values.ts";

const BOUNDARIES: readonly string[] = [
  "",
  "; boundary",
  "; boundary=",
  '; boundary=""',
  '; boundary="a',
  "; boundary= ",
  "; boundary==",
  "; boundary=;",
  "; boundary=a; boundary=b",
  "; boundary=a b",
  "; boundary=--",
  '; boundary="\\""',
  "; BOUNDARY=a",
  "; boundary*=utf-8''%00",
  `; boundary=${"b".repeat(70)}`,
  `; boundary=${"b".repeat(3000)}`,
  "; boundary=a; charset=utf-16",
];

const FORM_TYPES: readonly string[] = [
  "multipart/form-data",
  "multipart/form-data",
  "Multipart/Form-Data",
  "multipart/mixed",
  "multipart/form-datax",
  "multipart/",
];

const FORM_BODIES: readonly string[] = [
  "",
  "--",
  "--a",
  "--a--",
  "--a\r\n",
  "--a\r\n\r\n\r\n--a--\r\n",
  '--a\r\nContent-Disposition: form-data; name="run"\r\n\r\n{}\r\n--a--\r\n',
  '--a\r\nContent-Disposition: form-data; name="run"; filename=""\r\n\r\n{}\r\n--a--\r\n',
  '--a\r\nContent-Disposition: form-data; name="file"; filename="../../x"\r\n\r\nx\r\n--a--\r\n',
  '--a\r\nContent-Disposition: form-data; name="file"; filename="\0"\r\n\r\nx\r\n--a--\r\n',
  "--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--\r\n",
  "--a\r\nContent-Disposition: attachment; filename=x\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--a--\r\n",
  `--a\r\n${"x: y\r\n".repeat(500)}\r\nx\r\n--a--\r\n`,
  '--a\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n'.repeat(100),
  '--a\r\nContent-Disposition: form-data; name="workflow_url"\r\n\r\nsmooth\r\n'.repeat(2) + "--a--\r\n",
];

const FORM_TARGETS: readonly string[] = [
  "/api/runs",
  "/api/plans",
  "/api/files?name=a",
  "/api/provenance/crates",
  "/ga4gh/wes/v1/runs",
  "/api/prune",
];

/** A form with an odd type, boundary or body. */
export function oddForm({ random }: ValueOptions): FuzzedRequest {
  const headers = { "content-type": random.pick(FORM_TYPES) + random.pick(BOUNDARIES) };
  return { method: "POST", target: random.pick(FORM_TARGETS), headers, body: random.pick(FORM_BODIES) };
}
