import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSecretBox } from "../../../platform/secret-box.ts";
import { storedConfiguration } from "./number-settings.ts";
import { pinMatches } from "./port-out-pin.ts";

const box = createSecretBox([randomBytes(32)]);
const [A, B] = ["+12125550143", "+12125550144"];
const ORDER = {
  account_id: "account",
  provider: "manual",
  numbers: [A, B].map((phone_number) => ({ phone_number })),
};

describe("the configuration of an order's numbers", () => {
  const stored = storedConfiguration({ box, providers: new Map() }, ORDER, {
    default: { port_out_lock: true, port_out_pin: "4711", tags: ["sales"] },
    numbers: {
      [B]: { port_out_pin: null, forwarding: { primary: "+12125550199", fallback: null } },
      "+12125550145": { port_out_lock: false },
    },
  });

  it("is shown without its PINs, with who forwards, and with the order's own numbers alone", () => {
    const forwarding = { primary: "+12125550199", fallback: null, handled_by: "platform" };
    expect(stored.shown).toEqual({
      default: { port_out_lock: true, port_out_pin_set: true, tags: ["sales"] },
      numbers: { [B]: { forwarding, port_out_pin_set: false } },
    });
  });

  it("has the PIN encrypted for each number that will have it, and what a number has of its own wins", () => {
    expect(stored.pins.map((one) => one.phone_number)).toEqual([A]);
    const pins = stored.pins.map((one) => ({ account_id: "account", ...one }));
    expect(pinMatches(box, pins, "4711")).toBe(true);
    expect(pinMatches(box, pins, "4712")).toBe(false);
  });
});
