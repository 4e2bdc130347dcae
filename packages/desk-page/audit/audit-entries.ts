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
