import { expect, it } from "@jest/globals";
import { unknownProvider } from "./unknown-provider.ts";

it("is named, with where the known ones stand", () => {
  expect(unknownProvider("tset")).toMatchObject({
    code: "provider_mismatch",
    message:
      'There is no provider "tset": the names are those of the files in CARRIERS_DIR/providers.',
  });
  expect(unknownProvider("x".repeat(1_000)).message.length).toBeLessThan(200);
});
