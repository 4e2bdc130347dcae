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
