import type { RequirementDefinition } from "./fields/requirement-definition.ts";
import type { NumberType } from "./number-type.ts";

/** Everything the service knows about a country. Each has one file here and its line in countries.ts. */
export interface Country {
  readonly numbering: Numbering;
  readonly calendar: PortingCalendar;
  /** What letters of authorization are printed on. */
  readonly paperSize: "A4" | "LETTER";
  /** The types of number that can be ported; the others cannot. */
  readonly types: Readonly<Partial<Record<NumberType, PortableType>>>;
}

export interface PortableType {
  /** What an order asks for, mandatory fields first. */
  readonly asksFor: readonly RequirementDefinition[];
  readonly leadTime: LeadTime;
}

/** How the country's numbers are told from others and among themselves, where libphonenumber needs help. */
export interface Numbering {
  /** The territories of libphonenumber (ISO 3166-1 alpha-2) whose numbers count as the country's, its own among them. */
  readonly territories: readonly string[];
  /** How numbers begin (E.164) that libphonenumber gives another type, and the type that they have. */
  readonly typeByPrefix: Readonly<Record<string, NumberType>>;
  /** Whether the plan does not tell local numbers from mobile ones, so that the customer decides. */
  readonly leavesTypeOpen: boolean;
}

export interface PortingCalendar {
  /** IANA time zone in which its carriers work. */
  readonly timeZone: string;
  /** A carrier takes a request as of the day if it arrives before this hour. */
  readonly cutOffHour: number;
  /** The country whose public holidays its carriers keep (ISO 3166-1 alpha-2). */
  readonly holidaysOf: string;
}

export interface LeadTime {
  /** Business days that the losing carrier takes, from the one on which it has the request. */
  readonly days: number;
  /** Hour at which its porting window opens. */
  readonly hour: number;
}

/** Where neither carriers nor the law name the least number of days. */
export const UNNAMED_DAYS = 7;

/** For a country whose carriers treat all numbers alike. */
export function everyType(portable: PortableType): Readonly<Record<NumberType, PortableType>> {
  return {
    local: portable,
    mobile: portable,
    toll_free: portable,
    national: portable,
    shared_cost: portable,
  };
}
