import { describe, expect, it } from "@jest/globals";
import { exemplarOf } from "./exemplar.ts";

const IDS = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";

describe("the exemplar of a traceparent", () => {
  it.each(["01", "03"])("names the trace and the span of a sampled one: flags %s", (flags) => {
    const [trace_id, span_id] = IDS.split("-");
    expect(exemplarOf(`00-${IDS}-${flags}`)).toEqual({ trace_id, span_id });
  });

  it.each([undefined, null, "", "nonsense", `00-${IDS}-00`, `00-${IDS}-02`])(
    "is empty otherwise: %s",
    (traceparent) => {
      expect(exemplarOf(traceparent)).toEqual({});
    },
  );
});
