/** A delivery's place in its endpoint's window, as its row has it; lower goes first. */
export const PRIORITIES = { first: 0, retry: 1, recovery: 2 } as const;

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

/** Deliveries of an endpoint, or of one URL of orders' own, that stand in one line. */
export interface DueLine {
  readonly endpoint_key: string;
  readonly priority: Priority;
}
