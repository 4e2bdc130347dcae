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
