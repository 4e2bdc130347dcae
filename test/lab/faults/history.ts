/** A change that an answer to the client confirmed. */
export type AcknowledgedChange =
  | {
      readonly kind:
        | "created"
        | "deleted"
        | "submitted"
        | "decided"
        | "rejected"
        | "resubmitted"
        | "cancelled";
      readonly orderId: string;
    }
  | { readonly kind: "signed"; readonly orderId: string; readonly documentId: string }
  | { readonly kind: "commented"; readonly orderId: string; readonly commentId: string };

/** An event as a reader of the feed saw it. */
export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string | null;
  readonly previousStatus: string | null;
  readonly newStatus: string | null;
  /** The signed document of `loa.signed`. */
  readonly documentId: string | null;
  /** The comment of `porting_order.new_comment`. */
  readonly commentId: string | null;
}

/** A row of the permanent log. */
export interface LoggedEvent {
  readonly id: string;
  readonly accountId: string;
  readonly seq: number;
  readonly sequenceKey: string;
  /** Null for a call, which is recorded without a lock. */
  readonly orderSequence: number | null;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
}

/** A webhook that should have been sent, given the endpoints and orders. */
export interface ExpectedDelivery {
  readonly eventId: string;
  /** The path at the receiver, which is unique per endpoint or order. */
  readonly path: string;
}

export interface ReceivedDelivery extends ExpectedDelivery {
  readonly hash: string;
}

/** All results of a fault run, gathered once it is quiet. */
export interface History {
  readonly acknowledged: readonly AcknowledgedChange[];
  /** Orders that an answer named, and those that may exist because an answer was lost. */
  readonly knownOrders: ReadonlySet<string>;
  readonly submittedOrders: ReadonlySet<string>;
  /** For these orders a decision of the desk may have come too late, and the final status may be `cancelled`. */
  readonly cancelAsked: ReadonlySet<string>;
  readonly finalStatus: ReadonlyMap<string, string>;
  /** Each account's feed, paged from the start. */
  readonly feed: readonly SeenEvent[];
  /** Event ids collected by a client that paged forward throughout the run. */
  readonly followed: readonly string[];
  readonly followedFeed: readonly string[];
  readonly log: readonly LoggedEvent[];
  /** Id and body hash of every record of the topic, including repeats. */
  readonly topic: readonly { readonly id: string; readonly hash: string }[];
  readonly expected: readonly ExpectedDelivery[];
  readonly received: readonly ReceivedDelivery[];
  readonly deliveryRows: readonly { readonly eventId: string; readonly status: string }[];
}
