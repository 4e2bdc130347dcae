import type { CreatePortingOrderRequest } from "../../packages/client/generated/api-types.ts";
import type { Chance } from "./chance.ts";

/** A kind of order, as the demo plays it. */
export interface DemoKind {
  readonly weight: number;
  readonly numberType?: CreatePortingOrderRequest["number_type"];
  readonly losingCarriers: readonly [string, ...string[]];
  /** What a number begins with, and how many digits follow. */
  readonly prefixes: readonly [string, ...string[]];
  readonly digits: number;
  readonly addresses: readonly [string, ...string[]];
}

const US = [
  "1200 Congress Ave Suite 410\nAustin\nTX 78701\nUS",
  "88 Kearny St Floor 3\nSan Francisco\nCA 94108\nUS",
  "415 N Dearborn St\nChicago\nIL 60654\nUS",
  "2300 Lakeview Pkwy\nDenver\nCO 80202\nUS",
] as const;
const GB = [
  "14 Borough High Street\nLondon\nSE1 9QG\nGB",
  "3 Mosley Street\nManchester\nM2 3AQ\nGB",
] as const;
const DE = [
  "Schönhauser Allee 36\nBerlin\n10435\nDE",
  "Lindenstraße 5\nBerlin\n10969\nDE",
] as const;
const FR = ["24 Rue du Temple\nParis\n75004\nFR", "8 Avenue de l'Opéra\nParis\n75001\nFR"] as const;

export const KINDS: readonly [DemoKind, ...DemoKind[]] = [
  {
    weight: 4,
    losingCarriers: ["Verizon"],
    prefixes: ["+1212736", "+1202224"],
    digits: 4,
    addresses: US,
  },
  {
    weight: 23,
    numberType: "local",
    losingCarriers: ["Verizon", "AT&T", "Lumen", "Comcast Business"],
    prefixes: ["+14155", "+15124", "+13125", "+13035", "+16177", "+12066", "+17038"],
    digits: 6,
    addresses: US,
  },
  {
    weight: 6,
    numberType: "mobile",
    losingCarriers: ["Verizon", "T-Mobile"],
    prefixes: ["+16463", "+19175", "+13104"],
    digits: 6,
    addresses: US,
  },
  {
    weight: 8,
    losingCarriers: ["BT", "Vodafone", "Virgin Media"],
    prefixes: ["+442079", "+442033", "+441618"],
    digits: 6,
    addresses: GB,
  },
  {
    weight: 3,
    losingCarriers: ["EE"],
    prefixes: ["+447956", "+447973"],
    digits: 6,
    addresses: GB,
  },
  {
    weight: 8,
    losingCarriers: ["Deutsche Telekom", "Vodafone"],
    prefixes: ["+493023", "+493044"],
    digits: 6,
    addresses: DE,
  },
  {
    weight: 3,
    losingCarriers: ["Deutsche Telekom"],
    prefixes: ["+49170", "+49171"],
    digits: 7,
    addresses: DE,
  },
  {
    weight: 6,
    losingCarriers: ["Orange", "SFR"],
    prefixes: ["+33142", "+33153"],
    digits: 6,
    addresses: FR,
  },
  {
    weight: 3,
    losingCarriers: ["Orange"],
    prefixes: ["+33607", "+33608"],
    digits: 6,
    addresses: FR,
  },
];

/** A new number of the kind; `ending` selects the sandbox's outcome, and no other number has one. */
export function newNumber(kind: DemoKind, chance: Chance, ending: string | null): string {
  const prefix = chance.pick(kind.prefixes);
  const all = prefix + chance.digits(kind.digits);
  if (ending !== null) return all.slice(0, -ending.length) + ending;
  return all.slice(-4, -2) === "99" ? `${all.slice(0, -4)}18${all.slice(-2)}` : all;
}
