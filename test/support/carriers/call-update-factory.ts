import type { CallUpdate } from "../../../services/messages/generated/call-update.ts";

/** A forwarded call; `fields` overrides the defaults. */
export function buildCallUpdate(fields: Partial<CallUpdate> = {}): CallUpdate {
  return {
    call_id: crypto.randomUUID(),
    provider: "platform",
    phone_number: "+12125561001",
    kind: "forwarded",
    from: "+12125550199",
    to: "+12125550177",
    forwarded_by: "platform",
    stage: "primary",
    duration_seconds: null,
    ended_by: null,
    reason: null,
    occurred_at: Date.now(),
    ...fields,
  };
}
