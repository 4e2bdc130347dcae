import type { CustomerOrderModel } from "./customer-order-model.ts";
import { fitsSlug } from "./model-codes.ts";

export interface ModelVerdict {
  readonly slug: string;
  readonly approves: boolean;
  readonly code: string | null;
  readonly reason: string | null;
}

/** A requirement in the model. */
export interface ModelField {
  status: string;
  reason: string | null;
  hasValue: boolean;
  check: "none" | "checking" | "passed" | "failed";
  document: string | null;
  dated: number | null;
  readonly mandatory: boolean;
  readonly maxAgeDays: number | null;
}

const DAY_MS = 86_400_000;

export function isStale({ dated, maxAgeDays }: ModelField, now: number): boolean {
  return dated !== null && maxAgeDays !== null && now - dated > maxAgeDays * DAY_MS;
}

/** The slugs that keep an order from being submitted (GET readiness); of age, only the first time. */
export function blockersOf(
  { fields, attempt }: Pick<CustomerOrderModel, "fields" | "attempt">,
  now: number,
): string[] {
  const blocks = (field: ModelField): boolean => {
    if (field.status === "requirement-info-exception") return true;
    if (!field.hasValue) return field.mandatory;
    return (
      field.check === "checking" ||
      field.check === "failed" ||
      (attempt === 0 && isStale(field, now))
    );
  };
  return Object.entries(fields).flatMap(([slug, field]) => (blocks(field) ? [slug] : []));
}

/** requirements_status: every mandatory requirement has a value and passed its checks, and none is in exception. */
export function isMet(fields: Readonly<Record<string, ModelField>>): boolean {
  const all = Object.values(fields);
  const rejected = all.some((field) => field.status === "requirement-info-exception");
  const mandatory = all.filter((field) => field.mandatory);
  return (
    !rejected &&
    mandatory.every(({ hasValue, check }) => hasValue && ["none", "passed"].includes(check))
  );
}

/** Whether the desk accepts a decision now (docs/contract/desk-api.md, A decision). */
export function isSoundDecision(
  fields: Readonly<Record<string, ModelField>>,
  decision: {
    readonly verdicts: readonly ModelVerdict[];
    readonly confirm: boolean;
  },
): boolean {
  const { verdicts, confirm } = decision;
  const slugs = verdicts.map((verdict) => verdict.slug);
  if (verdicts.length === 0 && !confirm) return false;
  if (new Set(slugs).size < slugs.length) return false;
  const isDecidable = ({ slug, approves }: ModelVerdict): boolean => {
    const status = fields[slug]?.status;
    return status === "requirement-info-under-review" || (status === "approved" && !approves);
  };
  if (!verdicts.every(isDecidable)) return false;
  const rejections = verdicts.filter((verdict) => !verdict.approves);
  if (rejections.some(({ reason }) => reason === null || reason === "")) return false;
  if (rejections.some(({ code, slug }) => code !== null && !fitsSlug(code, slug))) return false;
  if (!confirm) return true;
  const isOpen = ([slug, field]: [string, ModelField]): boolean =>
    (field.mandatory || field.hasValue) && field.status !== "approved" && !slugs.includes(slug);
  return rejections.length === 0 && !Object.entries(fields).some(isOpen);
}
