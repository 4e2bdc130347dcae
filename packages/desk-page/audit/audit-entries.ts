type Values = Readonly<Record<string, unknown>> | null;

/** One value of an entry, in words. */
interface Change {
  readonly name: string;
  /** What it was; null where it was nothing, or is no change but a fact of the entry. */
  readonly was: string | null;
  /** What it has become, or what the entry says; null where it has become nothing. */
  readonly is: string | null;
  readonly isChanged: boolean;
}

/** What an entry changed, and what names that which it changed; nothing that only stayed as it was. */
export function changesOf(before: Values, given: Values): Change[] {
  const after = withEffect(given);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name): Change[] => {
    const [was, is] = [textOf(before?.[name]), textOf(after?.[name])];
    if (was === null && is === null) return [];
    if (was === is)
      return isName(name) ? [{ name: wordsOf(name), was: null, is, isChanged: false }] : [];
    const isOnlyNamed = after !== null && !(name in after);
    if (isOnlyNamed) return [{ name: wordsOf(name), was: null, is: was, isChanged: false }];
    return [{ name: wordsOf(name), was, is, isChanged: true }];
  });
}

/** A carrier's update has its effect as one value, whose parts are compared with what was before. */
function withEffect(after: Values): Values {
  const effect = after?.["effect"];
  if (after === null || !isRecord(effect)) return after;
  const { ignored, ...parts } = effect;
  return {
    ...after,
    effect: null,
    ...parts,
    ignored: isRecord(ignored) ? ignored["detail"] : null,
  };
}

/** Whether a value names what was changed, so that it is shown though it stayed. */
function isName(name: string): boolean {
  return name.endsWith("_id") || name === "phone_number" || name === "name";
}

function wordsOf(name: string): string {
  return name.replaceAll("_", " ");
}

/** Null for nothing: an absent value, null, and an empty list or text. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  // A code is read as words; an address, an id and a time have other characters.
  if (typeof value === "string") return /^[a-z]+(_[a-z]+)+$/.test(value) ? wordsOf(value) : value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return joined(value.map(textOf), "; ");
  if (!isRecord(value)) return JSON.stringify(value);
  if ("id" in value && typeof value["name"] === "string") return value["name"];
  const parts = Object.entries(value).map(([name, part]) => {
    const text = textOf(part);
    return text === null ? null : `${wordsOf(name)} ${text}`;
  });
  return joined(parts, ", ");
}

function joined(parts: readonly (string | null)[], separator: string): string | null {
  const given = parts.filter((part) => part !== null);
  return given.length === 0 ? null : given.join(separator);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What each action is, in a sentence that begins with who did it. `[ to {name}]` is there where the entry has the value;
 * `{was name}` is what it was before.
 */
export const ACTIONS: Readonly<Record<string, string>> = {
  "account.created": "opened the account",
  "account.notices_changed": "changed the notices",
  "account.reinstated": "reinstated the account",
  "account.renamed": "renamed the account[ from {was name}][ to {name}]",
  "account.signing_secret_rotated": "rotated the signing secret",
  "account.suspended": "suspended the account[: {reason}]",
  "api_key.issued": "issued an API key[, {prefix}]",
  "api_key.revoked": "revoked an API key[, {prefix}]",
  "dead_letter.discarded": "discarded dead letters[ of {topic}]",
  "dead_letter.replayed": "replayed dead letters[ of {topic}]",
  "document.viewed": "looked at a document[, {slug}]",
  "number.imported": "imported numbers[: {count}]",
  "number.pin_locked": "locked the PIN[ of {phone_number}]",
  "number.port_out_protected": "changed the port-out protection[ of {phone_number}]",
  "number.provider_changed":
    "changed the provider[ of {phone_number}][ from {was provider}][ to {provider}]",
  "number_defaults.changed": "changed how the numbers of the next orders are set",
  "number.released": "released the number[ {phone_number}][: {reason}]",
  "operator.added": "added an operator[, {operator}]",
  "operator.changed": "changed an operator[, {operator}]",
  "operator_token.issued": "issued a token[ for {operator}]",
  "operator_token.revoked": "revoked a token[ of {operator}]",
  "order.carrier_update": "recorded what the carrier said[, “{raw_status}”]",
  "order.closed": "closed the order[: {reason}]",
  "order.resubmitted": "submitted the order again[: {note}]",
  "order.split": "split the order[: {reason}]",
  "order.handed_over": "handed the order over to its customer[: {reason}]",
  "order.commented": "commented to the customer",
  "order.comments_seen": "said that the customer’s comments need no answer",
  "order.noted": "wrote a note",
  "port_out.approved": "approved the port-out",
  "port_out.cancelled": "entered that the carrier has withdrawn a port-out[, {port_out_ref}]",
  "port_out.commented": "commented on a port-out to the customer",
  "port_out.completed": "entered that the numbers of a port-out have left[, {port_out_ref}]",
  "port_out.entered": "entered a port-out[ to {gaining_carrier}]",
  "port_out.rejected": "rejected the port-out[: {code}]",
  "portal_branding.changed": "changed how the portal looks",
  "requirement_group.changed": "changed a saved holder",
  "requirement_group.created": "saved a holder",
  "requirement_group.deleted": "deleted a saved holder",
  "portal_session.created": "made a portal link",
  "portal_session.ended": "ended a portal link",
  "portal_session.opened": "opened a portal link",
  "review.assigned": "assigned the case[ to {claimed_by}]",
  "review.claimed": "claimed the case",
  "review.decided": "decided the case",
  "review.released": "released the case",
  "review.taken_over": "took the case over[ from {was claimed_by}][: {reason}]",
  "review.viewed": "looked at sensitive values",
  "session.signed_in": "signed in",
  "rejection_text.removed": "removed a text for rejections",
  "rejection_text.saved": "saved a text for rejections",
  "session.signed_out": "signed out",
  "view.removed": "removed a view[, {name}]",
  "view.saved": "saved a view[, {name}]",
  "webhook_delivery.retried": "retried a delivery",
  "webhook_endpoint.resumed": "resumed a webhook endpoint",
  "webhook_endpoint.secret_rotated": "rotated the secret of a webhook endpoint",
};

interface Entry {
  readonly action: string;
  readonly before: Values;
  readonly after: Values;
}

/** What somebody did, to stand behind the name: `approved 7 fields and confirmed the order`. */
export function sentenceOf({ action, before, after }: Entry): string {
  const verdicts = after?.["decisions"];
  if (action === "review.decided" && Array.isArray(verdicts)) {
    return decisionText(verdicts.filter(isRecord), after?.["confirm"] === true);
  }
  const valueOf = (was: string | undefined, name: string): string | null =>
    was === undefined ? (textOf(after?.[name]) ?? textOf(before?.[name])) : textOf(before?.[name]);
  return (ACTIONS[action] ?? `did “${wordsOf(action.replace(".", ": "))}”`).replaceAll(
    /\[([^\]]*?)\{(was )?(\w+)\}([^\]]*)\]/g,
    (_, ...[lead = "", was, name = "", rest = ""]: string[]) => {
      const value = valueOf(was, name);
      return value === null ? "" : lead + value + rest;
    },
  );
}

function decisionText(
  verdicts: readonly Readonly<Record<string, unknown>>[],
  isConfirmed: boolean,
) {
  const approved = verdicts.filter(({ decision }) => decision === "approve").length;
  const rejected = verdicts
    .filter(({ decision }) => decision === "reject")
    .map(({ slug, code }) => [textOf(slug), textOf(code)].filter((one) => one !== null).join(": "));
  const parts = [
    ...(approved === 0 ? [] : [`approved ${approved === 1 ? "a field" : `${approved} fields`}`]),
    ...(rejected.length === 0 ? [] : [`rejected ${rejected.join("; ")}`]),
    ...(isConfirmed ? ["confirmed the order"] : []),
  ];
  return parts.length === 0 ? "decided the case" : parts.join(" and ");
}

/** The actions as a menu has them, by what they are about. */
export function actionGroups(): [subject: string, actions: [action: string, text: string][]][] {
  const groups = new Map<string, [action: string, text: string][]>();
  for (const action of Object.keys(ACTIONS)) {
    const subject = wordsOf(action.split(".", 1)[0] ?? "");
    const text = sentenceOf({ action, before: null, after: null });
    groups.set(subject, [...(groups.get(subject) ?? []), [action, text]]);
  }
  return [...groups];
}
