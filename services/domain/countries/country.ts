import type { RequirementDefinition } from "./fields/requirement-definition.ts";
import type { NumberType } from "./number-type.ts";

/** Everything the service knows about a country. Each country has one file here and one line in countries.ts. */
export interface Country {
  readonly numbering: Numbering;
  /** Paper size of letters of authorization. */
  readonly paperSize: "A4" | "LETTER";
  /** The number types that can be ported; absent ones cannot. */
  readonly types: Readonly<Partial<Record<NumberType, PortableType>>>;
}

export interface PortableType {
  /** The requirements of an order, mandatory ones first. */
  readonly requirements: readonly RequirementDefinition[];
}

/** How to recognize and classify the country's numbers where libphonenumber needs help. */
export interface Numbering {
  /** The territories of libphonenumber (ISO 3166-1 alpha-2) whose numbers belong to the country, including its own. */
  readonly territories: readonly string[];
  /**
   * What the plan allows for geographic and mobile numbers, where new ranges open faster than libphonenumber learns of them.
   * Null where another country of the plan has it.
   */
  readonly form: RegExp | null;
  /** E.164 prefixes with another type than `TYPE_BY_PLAN` (number/rules/classify-number.ts) gives them → the right type. */
  readonly typeByPrefix: Readonly<Record<string, NumberType>>;
  /** Whether the plan does not distinguish local from mobile numbers, so that the customer decides. */
  readonly leavesTypeOpen: boolean;
  /** Whether toll-free numbers are held by responsible organizations (RespOrgs), which a letter must name. */
  readonly hasRespOrgs: boolean;
}
