import { describe, expect, it } from "@jest/globals";
import { javaMajorVersion } from "./artifacts.ts";

describe("javaMajorVersion", () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "21" 2023-09-19', 21],
    ['java version "1.8.0_402"', 8],
    ["java: command not found", null],
  ])("reads %j as %j", (text, version) => {
    expect(javaMajorVersion(text)).toBe(version);
  });
});
