import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KeyPress, isAppleDevice, readKey } from "./read-key.ts";

const altGraph = { getModifierState: (name: string) => name === "AltGraph" };

/** `single g`, `modified k`, `escape` or `none` */
function text(press: KeyPress, isApple = false): string {
  const pressed = readKey(press, isApple);
  return "key" in pressed ? `${pressed.kind} ${pressed.key}` : pressed.kind;
}

describe("readKey", () => {
  const cases: Readonly<Record<string, readonly [KeyPress, string]>> = {
    "a letter": [{ key: "g", code: "KeyG" }, "single g"],
    "a capital letter is another key": [{ key: "G", code: "KeyG", shiftKey: true }, "single G"],
    "a letter with the caps lock": [{ key: "G", code: "KeyG" }, "single g"],
    "a capital letter with the caps lock": [{ key: "g", code: "KeyG", shiftKey: true }, "single G"],
    "a digit that needs Shift, as in France": [{ key: "0", code: "Digit0", shiftKey: true }, "single 0"],
    "an unshifted digit key in France": [{ key: "à", code: "Digit0" }, "single à"],
    "a slash on Shift+7, as in Germany": [{ key: "/", code: "Digit7", shiftKey: true }, "single /"],
    "a question mark": [{ key: "?", code: "Slash", shiftKey: true }, "single ?"],
    "a bracket with AltGr": [{ key: "[", code: "Digit8", altKey: true, ctrlKey: true, ...altGraph }, "single ["],
    "a letter with Alt belongs to the menus": [{ key: "g", code: "KeyG", altKey: true }, "none"],
    "a Russian letter": [{ key: "о", code: "KeyJ" }, "single j"],
    "a Russian capital letter": [{ key: "О", code: "KeyJ", shiftKey: true }, "single J"],
    "a Greek letter": [{ key: "κ", code: "KeyK" }, "single k"],
    "a Hebrew letter": [{ key: "ל", code: "KeyK" }, "single k"],
    "a Russian letter in the place of a bracket": [{ key: "х", code: "BracketLeft" }, "single х"],
    "a Latin letter stays itself where its key is another letter's": [{ key: "è", code: "KeyT" }, "single è"],
    "the letter of a Dvorak keyboard, not its place": [{ key: "t", code: "KeyK" }, "single t"],
    "a letter while a word is composed": [{ key: "k", code: "KeyK", isComposing: true }, "none"],
    "Escape while a word is composed": [{ key: "Escape", isComposing: true }, "none"],
    "a key that an input method handles": [{ key: "Process", code: "KeyK" }, "none"],
    "a dead key": [{ key: "Dead", code: "BracketLeft" }, "none"],
    "an unknown key": [{ key: "Unidentified", code: "" }, "none"],
    "a key of two code units": [{ key: "😀", code: "KeyK" }, "none"],
    "an event of a browser that fills in a form": [{}, "none"],
    "an empty key": [{ key: "", code: "KeyK" }, "none"],
    "a modifier by itself": [{ key: "Control", code: "ControlLeft", ctrlKey: true }, "modified Control"],
    Escape: [{ key: "Escape", code: "Escape" }, "escape"],
    "Escape with Ctrl belongs to the system": [{ key: "Escape", ctrlKey: true, shiftKey: true }, "none"],
  };
  for (const [name, [press, expected]] of Object.entries(cases))
    it(`reads ${name}`, () => assert.equal(text(press), expected));

  it("accepts the modifier of the device only, without others", () => {
    const k = { key: "k", code: "KeyK" };
    const presses: readonly (readonly [KeyPress, onApple: string, elsewhere: string])[] = [
      [{ ...k, ctrlKey: true }, "none", "modified k"],
      [{ ...k, metaKey: true }, "modified k", "none"],
      [{ ...k, key: "K", metaKey: true }, "modified k", "none"],
      [{ ...k, key: "л", ctrlKey: true }, "none", "modified k"],
      [{ ...k, key: "л", metaKey: true }, "modified k", "none"],
      [{ ...k, ctrlKey: true, metaKey: true }, "none", "none"],
      [{ ...k, ctrlKey: true, shiftKey: true }, "none", "none"],
      [{ ...k, metaKey: true, altKey: true }, "none", "none"],
      [{ ...k, ctrlKey: true, isComposing: true }, "none", "none"],
    ];
    for (const [press, onApple, elsewhere] of presses)
      assert.deepEqual([text(press, true), text(press, false)], [onApple, elsewhere], JSON.stringify(press));
  });
});

it("knows the devices that have ⌘", () => {
  for (const agent of ["(Macintosh; Intel Mac OS X 15_0)", "(iPad; CPU OS 18_0)"]) assert.ok(isAppleDevice(agent));
  for (const agent of ["(X11; Linux x86_64)", "(Windows NT 10.0)", ""]) assert.ok(!isAppleDevice(agent));
});
