import { z } from "zod";
import { portOutAnswer } from "../../domain/port-out/answers/port-out-answer.ts";
import { presentPortOut } from "../../domain/port-out/answers/present-port-out.ts";
import type { PortOut } from "../../domain/port-out/rules/port-out.ts";
import { idText } from "../../platform/http/routing/answer-fields.ts";

/** A port-out as the desk sees it, with its account, its provider and the provider's reference. */
export const deskPortOutAnswer = portOutAnswer
  .extend({
    account_id: idText(),
    provider: z.string().meta({ examples: ["sandbox"] }),
    port_out_ref: z.string().meta({ examples: ["PO-4711"] }),
  })
  .meta({ id: "DeskPortOut" });

export function presentForDesk(portOut: PortOut): Record<string, unknown> {
  const { account_id, provider, port_out_ref } = portOut;
  return { ...presentPortOut(portOut), account_id, provider, port_out_ref };
}
