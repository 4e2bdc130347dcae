/** The Postgres roles, one per service with a database; the migrations create them and grant their rights. */
export const SERVICE_ROLES = [
  "porting_api",
  "porting_desk",
  "porting_requirement_review",
  "porting_order_lifecycle",
  "porting_carrier_adapter",
  "porting_webhook_sender",
  "porting_event_log",
  "porting_outbox_relay",
] as const;

export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The role of a service; null for one without a database. */
export function roleOf(service: string): ServiceRole | null {
  const name = `porting_${service.replaceAll("-", "_")}`;
  return SERVICE_ROLES.find((role) => role === name) ?? null;
}
