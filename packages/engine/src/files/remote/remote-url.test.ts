import assert from "node:assert/strict";
import { test } from "node:test";
import { isRedacted, redactUrl, shownUrl } from "./remote-url.ts";

const CASES: Readonly<Record<string, string>> = {
  "https://h.org/a.txt?x=1&y=%20#z": "https://h.org/a.txt?x=1&y=%20#z",
  "https://ann:pa%40ss@h.org/a@b.txt": "https://***@h.org/a@b.txt",
  "http://ann@h.org": "http://***@h.org",
  "https://h.org/a?X-Amz-Signature=abc&x=1": "https://h.org/a?X-Amz-Signature=***&x=1",
  "https://h.org/a?sig=a%2Bb%3D#f": "https://h.org/a?sig=***#f",
  "https://h.org/a?access_token=t&apikey=k&keyword=k": "https://h.org/a?access_token=***&apikey=***&keyword=k",
  "https://h.org/a?pwd=hunter2&id=7": "https://h.org/a?pwd=***&id=7",
  "https://h.org/a?PWD=x&pass=x&userpassword=x&pw=x&pin=1":
    "https://h.org/a?PWD=***&pass=***&userpassword=***&pw=***&pin=***",
  "https://h.org/a?p%77d=hunter2": "https://h.org/a?p%77d=***",
  "https://h.org/a?x=1;pwd=hunter2": "https://h.org/a?x=1;pwd=***",
  "https://h.org/a;jsessionid=1A2B?x=1": "https://h.org/a;jsessionid=***?x=1",
  "https://h.org/a#access_token=t&x=1": "https://h.org/a#access_token=***&x=1",
  "https://h.org/a?sid=1&jwt=2&otp=3&sas=4&ticket=5&bearer=6":
    "https://h.org/a?sid=***&jwt=***&otp=***&sas=***&ticket=***&bearer=***",
  "https://ann:p@ss@h.org/a": "https://***@h.org/a",
  "https:ann:pa@h.org/a": "https:***@h.org/a",
  "https://h.org/a?page=1": "https://h.org/a?page=1",
  "https://h.org/a;jsessionid=1A2B/b.txt?x=1": "https://h.org/a;jsessionid=***/b.txt?x=1",
  "https://h.org/a?pwd=hun;ter?2/3&x=1": "https://h.org/a?pwd=***&x=1",
  "file:///a@b?token=1": "file:///a@b?token=1",
};
for (const [location, expected] of Object.entries(CASES))
  test(`redactUrl hides the secrets of ${location}`, () => {
    assert.equal(redactUrl(location), expected);
    assert.equal(redactUrl(expected), expected);
    assert.equal(isRedacted(expected), expected !== location);
    assert.equal(isRedacted(location), false);
  });

test("shownUrl shortens data", () => assert.equal(shownUrl(`data:,${"x".repeat(100)}`), `data:,${"x".repeat(34)}…`));
