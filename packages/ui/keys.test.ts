import { describe, expect, it } from "@jest/globals";
import { keyOf, mayRepeat } from "./keys.ts";

function pressed(key: string, { shiftKey = false, isLocked = false } = {}) {
  return keyOf({ key, shiftKey, getModifierState: () => isLocked });
}

describe("a key", () => {
  it("is the same with caps lock as without", () => {
    expect(pressed("A", { isLocked: true })).toBe("a");
    expect(pressed("a", { isLocked: true, shiftKey: true })).toBe("A");
    expect(pressed("A", { isLocked: true, shiftKey: true })).toBe("A");
    expect(pressed("?", { isLocked: true, shiftKey: true })).toBe("?");
    expect(pressed("Escape", { isLocked: true })).toBe("Escape");
  });

  it("is as the browser names it otherwise", () => {
    expect(pressed("A")).toBe("A");
    expect(pressed("a")).toBe("a");
  });

  it("acts once while it is held, unless it moves or zooms", () => {
    expect(["j", "k", "]", "+", "-"].every(mayRepeat)).toBe(true);
    expect(["a", "e", "x", "Enter", "Ctrl+Enter"].some(mayRepeat)).toBe(false);
  });
});
