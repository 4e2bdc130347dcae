import { expect, it } from "@jest/globals";
import { pastedNumbers } from "./pasted-numbers.ts";

it("reads a spreadsheet's lines, with or without titles and what follows the number", () => {
  const text = [
    "Number;Provider;Type;Since",
    "+1 (212) 555-0143",
    '"+12125550144",us-lsr,local,2024-05-01T00:00:00Z',
    "",
  ].join("\r\n");
  expect(pastedNumbers(text, "sandbox")).toEqual([
    { phone_number: "+12125550143", provider: "sandbox" },
    {
      phone_number: "+12125550144",
      provider: "us-lsr",
      number_type: "local",
      activated_at: "2024-05-01T00:00:00Z",
    },
  ]);
});
