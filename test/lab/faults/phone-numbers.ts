import { classifyNumber } from "../../../services/domain/number/rules/classify-number.ts";

const AREAS = ["212", "213", "303", "312", "404", "415", "503", "602", "617", "702", "713", "805"];

/** Valid US local numbers without repeats. */
export function* phoneNumbers(): Generator<string, never> {
  for (let line = 0; ; line += 1) {
    const exchange = 220 + (Math.floor(line / 10_000) % 700);
    for (const area of AREAS) {
      const number = `+1${area}${exchange}${String(line % 10_000).padStart(4, "0")}`;
      if (classifyNumber(number) !== null) yield number;
    }
  }
}

/** Endings by which the sandbox carrier accepts or refuses a change, or fails all numbers of an order at its first request. */
export const ENDINGS = { accepted: "9910", refused: "9911", failed: "9904" } as const;

export type Ending = keyof typeof ENDINGS;

/** All numbers of a carrier that the directory does not know. */
const FIRST_EXCHANGE = 520;
const EXCHANGES = 200;

/** Pairs of valid US local numbers with an ending, without repeats; `phoneNumbers` does not get as far. */
export function createPairs(): (ending: Ending) => readonly string[] {
  const next: Record<Ending, number> = { accepted: 0, refused: 0, failed: 0 };
  const take = (ending: Ending): string => {
    const n = next[ending]++;
    const area = AREAS[Math.floor(n / EXCHANGES)] ?? "";
    const number = `+1${area}${FIRST_EXCHANGE + (n % EXCHANGES)}${ENDINGS[ending]}`;
    return classifyNumber(number) === null ? take(ending) : number;
  };
  return (ending) => [take(ending), take(ending)];
}
