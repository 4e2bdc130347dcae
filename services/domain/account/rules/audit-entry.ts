type Values = Readonly<Record<string, unknown>>;

/**
 * Who acted: an operator, whose `id` is null at the command line; a customer, by a key or by the portal session that a
 * key made; or the system itself.
 */
export type AuditActor =
  | { readonly operator: { readonly id: string | null; readonly name: string } }
  | { readonly apiKeyId: string; readonly isByPortal?: boolean }
  | { readonly actor: "system" };

interface AuditFacts {
  readonly at: Date;
  /** `<subject>.<what happened>`, such as `account.suspended`. */
  readonly action: string;
  readonly accountId?: string | null;
  readonly portingOrderId?: string | null;
  readonly requestId?: string | null;
  readonly before?: Values | null;
  readonly after?: Values | null;
}

/** One action, or one look at what is sensitive. `before` and `after` hold the changed values. */
export type AuditEntry = AuditFacts & AuditActor;

export type AuditActorType = "operator" | "customer" | "system";

/** The actor as the audit log has it; only operators have names. */
export function actorOf(entry: AuditActor) {
  if ("operator" in entry) {
    return { type: "operator", operatorId: entry.operator.id, name: entry.operator.name } as const;
  }
  if (!("apiKeyId" in entry)) return { type: "system", name: "system" } as const;
  const name = entry.isByPortal === true ? "portal" : "customer";
  return { type: "customer", apiKeyId: entry.apiKeyId, name } as const;
}

const MASK = "****";
const SHOWN_END = 4;

/** Fields whose values are never stored, and fields stored with only their last four characters. */
const HIDDEN = new Set([
  "api_key",
  "key",
  "token",
  "signing_secret",
  "webhook_signing_secret",
  "pin",
  "pin_passcode",
  "port_out_pin",
  "attempted_pin",
]);
const SHORTENED = new Set(["account_number"]);

/** The same values with the sensitive ones masked, at every depth. */
export function maskValues(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, maskField(named(name, values), value)]),
  );
}

/** What a value is: a requirement's `value` is that of its `slug`. */
function named(name: string, { slug }: Values): string {
  return name === "value" && typeof slug === "string" ? slug : name;
}

function maskField(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (HIDDEN.has(name)) return MASK;
  if (SHORTENED.has(name)) return maskText(value);
  if (Array.isArray(value)) return value.map((one: unknown) => maskField("", one));
  return isValues(value) ? maskValues(value) : value;
}

function maskText(value: unknown): string {
  if (typeof value !== "string" || value.length <= SHOWN_END) return MASK;
  return MASK + value.slice(-SHOWN_END);
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
