import { expect, it } from "@jest/globals";
import { sizeText } from "./byte-size.ts";

it.each([
  [20 * 1_048_576, "20 MiB"],
  [1_048_576, "1 MiB"],
  [20 * 1_048_576 + 131_072, "20608 KiB"],
  [65_536, "64 KiB"],
  [1_500, "1,500 bytes"],
  [0, "0 bytes"],
])("a bound of %d bytes is named as the documentation does", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
