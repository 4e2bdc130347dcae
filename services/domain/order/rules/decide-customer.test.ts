import { describe, expect, it } from "@jest/globals";
import { context } from "../../../../test/support/orders/order-commands.ts";
import { buildRequirement, orderIn } from "../../../../test/support/orders/order-factory.ts";
import { decide } from "./decide.ts";

describe("a submission with a date that is not possible any more", () => {
  const fault = { pointer: "#/foc_requested", code: "foc_not_possible", detail: "Not then." };
  const submit = { command: "submit", findDateFault: () => fault } as const;

  it("is refused with the date's fault, beside what else is missing", () => {
    const ready = orderIn("rejection", { requirements: [] });
    expect(decide(ready, submit, context)).toMatchObject({
      refusal: { code: "validation_failed", faults: [fault] },
    });
    const missing = [buildRequirement({ has_value: false })];
    expect(decide(orderIn("draft", { requirements: missing }), submit, context)).toMatchObject({
      refusal: { code: "not_ready", blocking: [{ code: "missing" }], faults: [fault] },
    });
    expect(decide(orderIn("in_review"), submit, context)).toMatchObject({
      refusal: { code: "invalid_state" },
    });
  });
});
