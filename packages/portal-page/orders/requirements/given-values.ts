import type { Requirement } from "../order-words.ts";

const MIB = 1024 * 1024;

const KINDS: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/tiff": "TIFF",
};

/** What a document may be, as its requirement says. */
interface AcceptedFile {
  readonly types: readonly string[];
  readonly maxBytes: number | null;
  /** For people: `PDF, PNG up to 20 MiB, at most 30 days old.` */
  readonly text: string;
}

export function acceptedBy({
  acceptance_criteria: criteria = {},
}: Pick<Requirement, "acceptance_criteria">): AcceptedFile {
  const { content_types: sent, max_bytes: bytes, max_age_days: days } = criteria;
  const types = Array.isArray(sent) ? sent.map(String) : [];
  const maxBytes = typeof bytes === "number" ? bytes : null;
  const size = maxBytes === null ? "" : ` up to ${Math.floor(maxBytes / MIB)} MiB`;
  const age = typeof days === "number" ? `, at most ${days} days old` : "";
  return { types, maxBytes, text: `${kindsOf(types)}${size}${age}.` };
}

function kindsOf(types: readonly string[]): string {
  return types.map((type) => KINDS[type] ?? type).join(", ");
}

/** Why a file would be refused, known before it is sent; null if it may be accepted. */
export function fileFault(
  file: Pick<File, "name" | "size" | "type">,
  { types, maxBytes }: AcceptedFile,
): string | null {
  const { name, size, type } = file;
  // What the browser knows no type for, the service looks into.
  if (type !== "" && !types.includes(type)) {
    return `${name} is of another kind. It must be ${kindsOf(types)}.`;
  }
  if (size === 0) return `${name} is empty.`;
  if (maxBytes === null || size <= maxBytes) return null;
  // Rounded up, so that it never reads as if it were allowed.
  const mib = Math.ceil((size / MIB) * 10) / 10;
  return `${name} has ${mib.toFixed(1)} MiB. At most ${Math.floor(maxBytes / MIB)} MiB are accepted: scan it again with less detail, or send fewer pages.`;
}

interface Plan {
  readonly calling: string;
  /** What stands before a number that is called within the country; empty where nothing does. */
  readonly trunk: string;
}

const NORTH_AMERICA: Plan = { calling: "1", trunk: "1" };

const PLANS: Readonly<Record<string, Plan>> = {
  AU: { calling: "61", trunk: "0" },
  CA: NORTH_AMERICA,
  DE: { calling: "49", trunk: "0" },
  ES: { calling: "34", trunk: "" },
  FR: { calling: "33", trunk: "0" },
  GB: { calling: "44", trunk: "0" },
  US: NORTH_AMERICA,
};

/** A number as people of a country write it, `(212) 555-7701`, in E.164; what is not one stays as it was typed. */
export function e164Of(text: string, country: string): string {
  const typed = text.normalize("NFKC").trim();
  const plan = PLANS[country];
  if (plan === undefined || /[^\d\s()./+\u2010-\u2015-]/u.test(typed)) return typed;
  const digits = typed.replaceAll(/\D/g, "");
  if (typed.startsWith("+")) return `+${typed.replace("(0)", "").replaceAll(/\D/g, "")}`;
  const abroad = /^(?:00|011)([1-9]\d+)$/.exec(digits);
  if (abroad !== null) return `+${abroad[1]}`;
  const national = digits.startsWith(plan.trunk) ? digits.slice(plan.trunk.length) : digits;
  return `+${plan.calling}${national}`;
}
