import { describe, expect, it } from "@jest/globals";
import { run } from "../../../../test/support/orders/order-commands.ts";
import { orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { takesRequest, type Provider } from "../../carrier/rules/provider.ts";
import type { OrderCommand } from "./decide.ts";

const SENT = "The request was sent again.";
const NOT_SENT =
  "The request was not sent again: the carrier's integration does not take requests of this kind.";

/** What a provider with these capabilities takes; without any, one that has no file. */
function takesOf(capabilities?: Provider["capabilities"]) {
  const providers = new Map<string, Provider>();
  if (capabilities !== undefined) providers.set("carrier", { capabilities } as Provider);
  return (kind: string) => takesRequest(providers, "carrier", kind);
}

const silence = (capabilities?: Provider["capabilities"]): OrderCommand => ({
  command: "carrier_silence",
  at: T0,
  takes: takesOf(capabilities),
});

describe("a carrier that is asked again", () => {
  it.each<[string, Provider["capabilities"] | undefined, string]>([
    ["a provider that takes the request", ["submit", "activate"], SENT],
    ["a provider without a file, which gets every request", undefined, SENT],
    ["a provider that does not take the request", ["activate"], NOT_SENT],
  ])("has in its order what became of the request: %s", (_what, capabilities, outcome) => {
    const order = orderIn("submitted", { request_version: 1 });
    const decision = run(order, silence(capabilities));
    const reason = `The carrier has not answered. ${outcome}`;
    expect(decision.order.attention).toMatchObject({ reason });
    expect(decision.effects).toContainEqual({
      effect: "system_comment",
      body: reason,
      internal: false,
    });
    // Whether it is sent, carrier-adapter decides.
    expect(decision.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "submit" });
  });

  it("is not said to be asked for an activation that its integration does not take", () => {
    const order = orderIn("foc_scheduled", { foc_actual: T0.toISOString() });
    const command = { command: "foc_grace", at: T0, takes: takesOf(["submit"]) } as const;
    expect(run(order, command).order.attention?.reason).toBe(
      `The port date has passed and the carrier has not started the activation. ${NOT_SENT}`,
    );
  });
});
