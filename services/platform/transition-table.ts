import { AppError } from "./errors.ts";

/** Where a trigger leads: to a status, or `stay` if it is accepted without a move. */
export type Target<Status extends string> = Status | "stay";

/** Functions that determine which case of a move applies to a subject. */
type Choosers<Subject, Case extends string = string> = Readonly<
  Record<string, (subject: Subject) => Case>
>;

/** Several targets: the chooser selects the case, and only the listed cases are moves. */
type Choice<Status extends string, C extends Choosers<never>> = {
  readonly [Name in keyof C]: {
    readonly by: Name;
    readonly to: Readonly<Partial<Record<ReturnType<C[Name]>, Target<Status>>>>;
  };
}[keyof C];

/** Each status with the triggers that it accepts. */
export type TransitionTable<
  Status extends string,
  Trigger extends string,
  C extends Choosers<never> | null = null,
> = Readonly<Record<Status, Readonly<Partial<Record<Trigger, Entry<Status, C>>>>>>;

type Entry<Status extends string, C extends Choosers<never> | null> =
  | Target<Status>
  | (C extends Choosers<never> ? Choice<Status, C> : never);

interface LooseChoice<Status extends string> {
  readonly by: string;
  readonly to: Readonly<Partial<Record<string, Target<Status>>>>;
}

type LooseTable<Status extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<string, Target<Status> | LooseChoice<Status>>>>>
>;

/** A table with its choosers, which alone determines where a trigger leads. */
export interface Transitions<
  Subject extends { readonly status: Status },
  Status extends string,
  Trigger extends string,
> {
  /** Null if the table has no entry for the trigger, which is then refused or ignored. */
  readonly targetOf: (subject: Subject, trigger: Trigger) => Target<Status> | null;
  /** The status that the trigger leads to. @throws if the table has no such move, a bug in the caller */
  readonly moveOf: (subject: Subject, trigger: Trigger) => Status;
  /** Every status that the trigger may lead to, `stay` as the status itself. */
  readonly targetsOf: (from: Status, trigger: Trigger) => Status[];
}

export function transitionsOf<
  Subject extends { readonly status: Status },
  Status extends string,
  Trigger extends string,
>(
  table: LooseTable<Status>,
  choosers: Choosers<Subject> = {},
): Transitions<Subject, Status, Trigger> {
  type LooseEntry = Target<Status> | LooseChoice<Status> | undefined;
  const entryOf = (from: Status, trigger: Trigger): LooseEntry => table[from][trigger];
  const targetOf = (subject: Subject, trigger: Trigger): Target<Status> | null => {
    const entry = entryOf(subject.status, trigger);
    if (entry === undefined || typeof entry === "string") return entry ?? null;
    return entry.to[choosers[entry.by]?.(subject) ?? ""] ?? null;
  };
  return {
    targetOf,
    moveOf: (subject, trigger) => {
      const to = targetOf(subject, trigger);
      if (to !== null && to !== "stay") return to;
      throw new AppError("internal", `There is no move from ${subject.status} by ${trigger}.`);
    },
    targetsOf: (from, trigger) => {
      const entry = entryOf(from, trigger);
      const targets =
        entry === undefined ? [] : typeof entry === "string" ? [entry] : Object.values(entry.to);
      return targets.flatMap((to) => (to === undefined ? [] : to === "stay" ? [from] : [to]));
    },
  };
}

interface Diagram<Status extends string, Trigger extends string> {
  readonly statuses: readonly Status[];
  readonly triggers: readonly Trigger[];
  /** In which a subject begins; more than one where that depends on something else. */
  readonly first: Status | readonly Status[];
  readonly targetsOf: (from: Status, trigger: Trigger) => readonly Status[];
}

/** A table as a Mermaid state diagram; a status without moves is an end. */
export function diagramOf<Status extends string, Trigger extends string>({
  statuses,
  triggers,
  first,
  targetsOf,
}: Diagram<Status, Trigger>): string {
  const movesFrom = (from: Status): string[] =>
    triggers.flatMap((trigger) =>
      targetsOf(from, trigger).map((to) => `  ${from} --> ${to}: ${trigger}`),
    );
  const lines = statuses.flatMap((from) => {
    const moves = movesFrom(from);
    return moves.length === 0 ? [`  ${from} --> [*]`] : moves;
  });
  const starts = [first].flat().map((status) => `  [*] --> ${status}`);
  return ["stateDiagram-v2", ...starts, ...lines].join("\n");
}
