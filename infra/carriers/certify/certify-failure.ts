/** The headings of docs/carriers.md that explain what is checked, as the anchors of links to them. */
export const SECTIONS = [
  "topics",
  "requests",
  "updates",
  "order-and-repeats",
  "errors",
  "certification",
] as const;

/** What a scenario found instead of what it needs; both as parts of a sentence. */
export interface Shortfall {
  readonly expected: string;
  readonly came: string;
  /** Where docs/carriers.md explains it. */
  readonly see: (typeof SECTIONS)[number];
}

/** Why a scenario did not pass, as a sentence for the integrator. */
export class CertifyFailure extends Error {
  constructor({ expected, came, see }: Shortfall) {
    super(`Expected ${expected}, but ${came.replace(/\.$/, "")}. See docs/carriers.md#${see}`);
  }
}

/** Why a scenario cannot be played with this provider. */
export class CertifySkip extends Error {}
