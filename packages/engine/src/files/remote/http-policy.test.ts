import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { specialKind, allowHosts, ANY_HOST } from "./http-policy.ts";

describe("specialKind", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["93.184.215.14", undefined],
    ["2606:4700::6810:85e5", undefined],
    ["172.15.255.255", undefined],
    ["127.0.0.1", "loopback"],
    ["127.255.3.4", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.31.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd00:ec2::254", "private"],
    ["169.254.169.254", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["::ffff:a9fe:a9fe", "link-local"],
    ["0.0.0.0", "reserved"],
    ["255.255.255.255", "reserved"],
    ["224.0.0.1", "reserved"],
    ["::", "reserved"],
    ["64:ff9b::7f00:1", "reserved"],
    ["2002:7f00:1::", "reserved"],
  ];
  for (const [address, expected] of cases) {
    it(`${address} is ${expected ?? "public"}`, () => assert.equal(specialKind(address), expected));
  }
});

describe("allowHosts", () => {
  /** Subject of the refusal, right after the address; undefined: the address may be fetched. */
  const cases: readonly (readonly [string, string, RegExp | undefined])[] = [
    ["", "https://example.org/a", /downloads no files/],
    ["example.org", "https://example.org/a", undefined],
    ["Example.org", "https://EXAMPLE.org./a", undefined],
    ["example.org", "https://www.example.org/a", /www\.example\.org is not among the hosts/],
    ["*.example.org", "https://a.b.example.org/a", undefined],
    ["*.example.org", "https://example.org/a", /is not among/],
    ["*.example.org", "https://badexample.org/a", /is not among/],
    ["*", "https://example.org/a", undefined],
    ["*", "http://127.0.0.1:8080/a", /127\.0\.0\.1 is a loopback address/],
    ["*", "http://2130706433/a", /127\.0\.0\.1 is a loopback address/],
    ["*", "http://0x7f.1/a", /loopback/],
    ["*", "http://[::1]/a", /loopback/],
    ["*", "http://[::ffff:169.254.169.254]/a", /link-local/],
    ["*", "http://169.254.169.254/latest/meta-data/", /link-local/],
    ["127.0.0.1", "http://127.0.0.1:8080/a", undefined],
    ["*,[::1]", "http://[::1]/a", undefined],
    ["*", "ftp://example.org/a", /not an http\(s\) URL/],
    ["*", "http://", /not an http\(s\) URL/],
  ];
  for (const [hosts, url, expected] of cases) {
    it(`decides with ${hosts === "" ? "nothing" : hosts} allowed: ${url}`, () => {
      const refusal = allowHosts(hosts.split(",")).refuseUrl(url);
      if (expected === undefined) assert.equal(refusal, undefined);
      else assert.match(refusal?.message ?? "", expected);
    });
  }

  it("refuses the address of a name, unless the name itself is allowed", () => {
    const refusal = allowHosts(["*"]).refuseAddress("intranet.example.org", "10.0.0.1");
    assert.match(refusal?.message ?? "", /intranet\.example\.org resolves to 10\.0\.0\.1, a private address/);
    assert.match(refusal?.hint ?? "", /--allow-http intranet\.example\.org/);
    assert.equal(allowHosts(["intranet.example.org"]).refuseAddress("intranet.example.org", "10.0.0.1"), undefined);
    assert.ok(allowHosts(["*.example.org"]).refuseAddress("intranet.example.org", "10.0.0.1"));
  });
});

describe("ANY_HOST", () => {
  it("refuses no web address", () => {
    assert.equal(ANY_HOST.refuseUrl("http://127.0.0.1/"), undefined);
    assert.ok(ANY_HOST.refuseUrl("ftp://127.0.0.1/"));
  });
});
