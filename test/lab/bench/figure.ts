/** The same work done otherwise in the same run: the least that it can cost here, or by somebody else's program. */
export interface Compared {
  readonly what: string;
  readonly measured: number;
}

/** What is accepted, and the better value that we aim at. */
interface Bound {
  readonly accept: number;
  readonly goal?: number;
}

export type Target =
  | ({ readonly kind: "at_least" | "at_most" } & Bound)
  /** As a share of the floor, or a multiple of it. */
  | ({ readonly kind: "at_least_of_floor" | "at_most_of_floor" } & Bound)
  /** As a multiple of the peer. */
  | ({ readonly kind: "at_least_of_peer" | "at_most_of_peer" } & Bound)
  | { readonly kind: "reported" };

export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  /** The best possible result of the same work on this machine, measured in the same run. */
  readonly floor?: Compared;
  /** Of the programs that a team could use instead the one to compare with, measured in the same run. */
  readonly peer?: Compared;
  readonly target: Target;
}

export const REPORTED: Target = { kind: "reported" };

function shareOf(measured: number, compared: Compared | undefined): number | null {
  return compared === undefined || compared.measured === 0 ? null : measured / compared.measured;
}

export function isOfPeer({ kind }: Target): boolean {
  return kind === "at_least_of_peer" || kind === "at_most_of_peer";
}

/** To the peer where that is the target, otherwise to the floor; null without either. */
export function ratioOf({ measured, floor, peer, target }: Figure): number | null {
  return shareOf(measured, isOfPeer(target) ? peer : floor);
}

export type Verdict = "met" | "goal met" | "MISSED" | "not compared";

/** Null for a figure that is only reported; `not compared` where what it is judged by was not measured. */
export function verdictOf(figure: Figure): Verdict | null {
  const { target, measured } = figure;
  if (target.kind === "reported") return null;
  const isAbsolute = target.kind === "at_least" || target.kind === "at_most";
  const judged = isAbsolute ? measured : ratioOf(figure);
  if (judged === null) return "not compared";
  const wantsMore = target.kind.startsWith("at_least");
  const reaches = (bound: number): boolean => (wantsMore ? judged >= bound : judged <= bound);
  if (!reaches(target.accept)) return "MISSED";
  return target.goal !== undefined && reaches(target.goal) ? "goal met" : "met";
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const plain = (value: number): string => value.toLocaleString("en");

function boundText(kind: Exclude<Target["kind"], "reported">, bound: number): string {
  switch (kind) {
    case "at_least":
      return `≥ ${plain(bound)}`;
    case "at_most":
      return `≤ ${plain(bound)}`;
    case "at_least_of_floor":
      return `≥ ${percent(bound)} of the floor`;
    case "at_most_of_floor":
      return `≤ ${bound} × the floor`;
    case "at_least_of_peer":
      return `≥ ${bound} × the peer`;
    case "at_most_of_peer":
      return `≤ ${bound} × the peer`;
  }
}

/** `≥ 2 × the peer, goal 3`. */
export function targetText(target: Target): string {
  if (target.kind === "reported") return "";
  const { kind, accept, goal } = target;
  const goalText = kind === "at_least_of_floor" ? percent : plain;
  return `${boundText(kind, accept)}${goal === undefined ? "" : `, goal ${goalText(goal)}`}`;
}

/** Three digits that matter, or whole numbers. */
export function rounded(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 3 });
}
