/** A delivery's priority in its endpoint queue, as stored in its row; lower goes first. */
export const PRIORITIES = { first: 0, retry: 1, recovery: 2 } as const;

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

/** The deliveries of one priority of an endpoint, or of one URL set on orders. */
export interface DueLine {
  readonly endpoint_key: string;
  readonly priority: Priority;
}
