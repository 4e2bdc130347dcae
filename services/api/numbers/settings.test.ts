import { describe, expect, it } from "@jest/globals";
import { configurationFaults, hasPin, numberConfiguration } from "./settings.ts";

const [A, B] = ["+12125550143", "+12125550144"];

describe("a number_configuration", () => {
  it("names numbers of its order, and forwards none to itself", () => {
    const given = numberConfiguration.parse({
      default: { forwarding: { primary: A } },
      numbers: { [B]: { forwarding: { primary: "+12125550199", fallback: B } }, "+1212": {} },
    });
    expect(configurationFaults(given, [A, B]).map(({ pointer, code }) => [pointer, code])).toEqual([
      ["#/number_configuration/numbers/+1212", "unknown_number"],
      ["#/number_configuration/default/forwarding/primary", "invalid_value"],
      [`#/number_configuration/numbers/${B}/forwarding/fallback`, "invalid_value"],
    ]);
  });

  it("has a PIN wherever it is, a removed one included", () => {
    expect(hasPin({ default: { port_out_lock: true } })).toBe(false);
    expect(hasPin({ numbers: { [A]: { port_out_pin: null } } })).toBe(true);
  });
});
