/** The start of a number of each kind, and how many digits follow; the first of these make the numbers valid. */
const PREFIXES = {
  "+1212": { first: 2_000_000, digits: 7 },
  "+1800": { first: 2_000_000, digits: 7 },
  "+1416": { first: 2_000_000, digits: 7 },
  "+4420": { first: 70_000_000, digits: 8 },
  "+331": { first: 50_000_000, digits: 8 },
  "+336": { first: 12_000_000, digits: 8 },
  "+4930": { first: 23_000_000, digits: 8 },
  "+49151": { first: 12_000_000, digits: 8 },
  "+349": { first: 12_000_000, digits: 8 },
  "+346": { first: 12_000_000, digits: 8 },
  "+612": { first: 93_000_000, digits: 8 },
  "+614": { first: 12_000_000, digits: 8 },
  "+322": { first: 7_900_000, digits: 7 },
  "+3247": { first: 1_000_000, digits: 7 },
  "+3531": { first: 4_500_000, digits: 7 },
  "+35385": { first: 1_200_000, digits: 7 },
  "+3120": { first: 1_200_000, digits: 7 },
  "+447700": { first: 100_000, digits: 6 },
} as const;

export type NumberPrefix = keyof typeof PREFIXES;

/** Valid numbers one after the other, of each prefix from the given place on. */
export function numbersFrom(place: number): (prefix?: NumberPrefix) => string {
  const next = new Map<NumberPrefix, number>();
  return (prefix = "+1212") => {
    const at = next.get(prefix) ?? place;
    next.set(prefix, at + 1);
    const { first, digits } = PREFIXES[prefix];
    const text = String(first + at);
    if (text.length !== digits) throw new RangeError(`There are no more numbers of ${prefix}.`);
    return prefix + text;
  };
}
