/** What a figure is compared with: its floor in the same run, or a fixed bound. */
export type Target =
  | { readonly kind: "share_of_floor"; readonly least: number }
  | { readonly kind: "times_floor"; readonly most: number }
  | { readonly kind: "at_least"; readonly value: number }
  | { readonly kind: "at_most"; readonly value: number }
  | { readonly kind: "reported" };

export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  /** The best possible result of the same work on this machine, measured in the same run. */
  readonly floor?: { readonly what: string; readonly measured: number };
  readonly target: Target;
}

export function shareOfFloor({ measured, floor }: Figure): number | null {
  return floor === undefined || floor.measured === 0 ? null : measured / floor.measured;
}

/** Null for a figure that is only reported. */
export function isMet(figure: Figure): boolean | null {
  const { target, measured } = figure;
  switch (target.kind) {
    case "share_of_floor":
      return (shareOfFloor(figure) ?? 0) >= target.least;
    case "times_floor":
      return (shareOfFloor(figure) ?? Infinity) <= target.most;
    case "at_least":
      return measured >= target.value;
    case "at_most":
      return measured <= target.value;
    case "reported":
      return null;
  }
}

export function textOfTarget(target: Target): string {
  switch (target.kind) {
    case "share_of_floor":
      return `≥ ${target.least * 100} % of the floor`;
    case "times_floor":
      return `≤ ${target.most} × the floor`;
    case "at_least":
      return `≥ ${target.value}`;
    case "at_most":
      return `≤ ${target.value}`;
    case "reported":
      return "reported";
  }
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

/** A figure as a row: name, measured, floor, ratio, target, met or missed. */
export function rowOf(figure: Figure): string[] {
  const share = shareOfFloor(figure);
  const met = isMet(figure);
  return [
    figure.name,
    `${round(figure.measured)} ${figure.unit}`,
    figure.floor === undefined ? "" : `${round(figure.floor.measured)} (${figure.floor.what})`,
    share === null ? "" : `${(share * 100).toFixed(0)} %`,
    textOfTarget(figure.target),
    met === null ? "" : met ? "met" : "MISSED",
  ];
}
