// Made from the API's OpenAPI document by `npm run client`; do not edit.

/** Who acted */
export interface Actor {
  /** Which side acted */
  readonly type: "customer" | "desk" | "carrier" | "system" | (string & {});
  /** Who acted, such as an API key's id */
  readonly id: string | null;
  /** Who acted, by name, where it is shown */
  readonly name: string | null;
}

/** An API key, without the key itself */
export interface ApiKey {
  /** The key's id */
  readonly id: string;
  /** What the key was named when it was issued */
  readonly name: string | null;
  /** The key's first 14 characters */
  readonly prefix: string;
  /** When it was issued */
  readonly created_at: string;
  /** When it was last used, accurate to within a minute */
  readonly last_used_at: string | null;
  /** When it was revoked */
  readonly revoked_at: string | null;
}

export interface ApiKeyList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly ApiKey[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** An API key that was just issued */
export interface ApiKeyWithSecret {
  /** The key's id */
  readonly id: string;
  /** What the key was named when it was issued */
  readonly name: string | null;
  /** The key's first 14 characters */
  readonly prefix: string;
  /** When it was issued */
  readonly created_at: string;
  /** When it was last used, accurate to within a minute */
  readonly last_used_at: string | null;
  /** When it was revoked */
  readonly revoked_at: string | null;
  /** The key itself, shown once */
  readonly key: string;
}

/** What a command did to each order of a batch */
export interface BatchResults {
  /** What became of each order of the batch, oldest first */
  readonly data: readonly ({
    /** The order's id */
    readonly order_id: string;
    /** Whether it was done */
    readonly ok: boolean;
    /** Why it was not done; null if it was */
    readonly error: {
      /** As the order's own command would be refused */
      readonly code: string;
      /** Why, for people */
      readonly detail: string;
      /** Each fault; empty where the code says it all */
      readonly errors: readonly ({
        /** Where in the request or the order it is */
        readonly pointer?: string | undefined;
        /** What is wrong */
        readonly code: string;
        /** What is wrong, for people */
        readonly detail: string;
      })[];
    } | null;
  })[];
}

/** A forwarded call that was answered ended. */
export interface CallCompletedPayload {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: string;
  /** How long it lasted, in seconds. */
  readonly duration_seconds: number;
  /** Who ended it: caller, callee, platform or carrier. */
  readonly ended_by: string;
}

/** The body of the webhook `call.completed` */
export interface CallCompletedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "call.completed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: CallCompletedPayload;
}

/** A call to a number was forwarded. */
export interface CallForwardedPayload {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: string;
  /** Who forwarded it: platform or carrier. */
  readonly forwarded_by: string;
  /** Which destination was tried: primary or fallback. */
  readonly stage: string;
}

/** The body of the webhook `call.forwarded` */
export interface CallForwardedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "call.forwarded";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: CallForwardedPayload;
}

/** A forwarded call was never answered. */
export interface CallMissedPayload {
  /** Id of the call, the same on all its events. */
  readonly call_id: string;
  /** Number of the account that was called, in E.164. */
  readonly phone_number: string;
  /** Calling party. */
  readonly from: string;
  /** Destination that the call was forwarded to. */
  readonly to: string;
  /** When it happened, by the clock of the call platform or carrier. */
  readonly occurred_at: string;
  /** Why: no_answer, busy, rejected, unreachable, caller_hangup or failed. */
  readonly reason: string;
}

/** The body of the webhook `call.missed` */
export interface CallMissedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "call.missed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: CallMissedPayload;
}

export interface CancelPortingBatchRequest {
  /** Why, up to 1,000 characters */
  readonly reason?: string | null | undefined;
}

export interface CancelPortingOrderRequest {
  /** Why, up to 1,000 characters */
  readonly reason?: string | null | undefined;
}

export interface CheckPortabilityRequest {
  /** The numbers to check: 1 to 1,000 in E.164 */
  readonly phone_numbers: readonly string[];
  /** The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given */
  readonly number_type?: "local" | "mobile" | "toll_free" | "national" | "shared_cost" | null | undefined;
}

/** Why an order ended */
export interface ClosedReason {
  /** A code of /v2/porting_exceptions if the carrier ended the order; draft_expired or rejection_expired if time did; null if a person did */
  readonly code: string | null;
  /** Why, for people */
  readonly detail: string;
  /** Who ended it */
  readonly raised_by: "customer" | "desk" | "carrier" | "system" | (string & {});
}

/** A comment on an order or a port-out */
export interface Comment {
  /** The comment's id */
  readonly id: string;
  /** The comment's text */
  readonly body: string;
  /** Who wrote it; `ops` is the porting desk */
  readonly author_type: "customer" | "ops" | "carrier" | "system" | (string & {});
  /** When it was written */
  readonly created_at: string;
}

export interface CommentList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly Comment[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

export interface CreateApiKeyRequest {
  /** To distinguish keys, 1 to 64 characters */
  readonly name?: string | null | undefined;
}

export interface CreatePortOutCommentRequest {
  /** The comment, 1 to 4,000 characters */
  readonly body: string;
}

export interface CreatePortalBrandingRequest {
  /** One line of 1 to 64 characters */
  readonly name?: string | null | undefined;
  /** `#rrggbb`; shown darker or lighter where text on it could not be read */
  readonly colour?: string | null | undefined;
  /** A PNG or JPEG in base64, up to 256 KiB and 1024 by 1024 pixels */
  readonly logo?: string | null | undefined;
}

export interface CreatePortalSessionRequest {
  /** Limits the link to this order, for the customer's own end user */
  readonly order_id?: string | undefined;
  /** Seconds until the link expires: 60 to 2592000, 3600 unless given */
  readonly expires_in?: number | undefined;
}

export interface CreatePortingOrderChangeRequest {
  /** The port date to ask for: ISO 8601 with an offset, in the future, at most 180 days ahead, and at which the order's numbers can be moved; the confirmed date accepts that */
  readonly foc_requested?: string | null | undefined;
  /** Numbers to take out of the order: 1 to 1,000 in E.164 */
  readonly remove_phone_numbers?: readonly string[] | null | undefined;
  /** Why, up to 1,000 characters */
  readonly reason?: string | null | undefined;
}

export interface CreatePortingOrderCommentRequest {
  /** The comment, 1 to 4,000 characters */
  readonly body: string;
}

export interface CreatePortingOrderRequest {
  /** The numbers to port: 1 to 1,000 in E.164 */
  readonly phone_numbers: readonly string[];
  /** The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given */
  readonly number_type?: "local" | "mobile" | "toll_free" | "national" | "shared_cost" | null | undefined;
  /** The carrier that has the numbers now, up to 64 characters; looked up by prefix unless given */
  readonly losing_carrier?: string | null | undefined;
  /** The customer's own reference, up to 128 characters */
  readonly customer_reference?: string | null | undefined;
  /** The port date to ask for: ISO 8601 with an offset, in the future, at most 180 days ahead */
  readonly foc_requested?: string | null | undefined;
  /** Where this order's webhooks go instead of the account's endpoints: HTTPS, up to 2,048 characters */
  readonly webhook_url?: string | null | undefined;
  readonly requirements?: GivenRequirements | null | undefined;
  /** A saved holder: an order gets those of its values that it asks for, takes and has not been given; what `requirements` gives comes first */
  readonly requirement_group_id?: string | null | undefined;
  /** Order the other numbers where some cannot be ordered: these are then in `skipped`, with the fault of each. Where none is left the request is refused */
  readonly skip_invalid?: boolean | null | undefined;
  /** How its numbers are set at the moment in which each becomes active: forwarding, lock, PIN, tags, references */
  readonly number_configuration?: {
    /** Of every number of the order */
    readonly default?: {
      /** Where calls to the number go; null switches forwarding off */
      readonly forwarding?: {
        /** Where calls go first, in E.164 */
        readonly primary: string;
        /** Where calls go that the primary does not answer, in E.164; null for nowhere */
        readonly fallback?: string | null | undefined;
      } | null | undefined;
      /** Whether every port-out is rejected */
      readonly port_out_lock?: boolean | undefined;
      /** The PIN that a port-out must state: 4 to 10 digits; null removes it */
      readonly port_out_pin?: string | null | undefined;
      /** Up to 20 labels of yours */
      readonly tags?: readonly string[] | undefined;
      /** Your own reference of its connection, up to 255 characters; null removes it */
      readonly connection_ref?: string | null | undefined;
      /** Your own reference of its messaging profile, up to 255 characters; null removes it */
      readonly messaging_ref?: string | null | undefined;
      /** Your own reference of its emergency address, up to 255 characters; null removes it */
      readonly emergency_address_ref?: string | null | undefined;
    } | undefined;
    /** Of single numbers, by number in E.164; what is here wins */
    readonly numbers?: Readonly<Record<string, {
      /** Where calls to the number go; null switches forwarding off */
      readonly forwarding?: {
        /** Where calls go first, in E.164 */
        readonly primary: string;
        /** Where calls go that the primary does not answer, in E.164; null for nowhere */
        readonly fallback?: string | null | undefined;
      } | null | undefined;
      /** Whether every port-out is rejected */
      readonly port_out_lock?: boolean | undefined;
      /** The PIN that a port-out must state: 4 to 10 digits; null removes it */
      readonly port_out_pin?: string | null | undefined;
      /** Up to 20 labels of yours */
      readonly tags?: readonly string[] | undefined;
      /** Your own reference of its connection, up to 255 characters; null removes it */
      readonly connection_ref?: string | null | undefined;
      /** Your own reference of its messaging profile, up to 255 characters; null removes it */
      readonly messaging_ref?: string | null | undefined;
      /** Your own reference of its emergency address, up to 255 characters; null removes it */
      readonly emergency_address_ref?: string | null | undefined;
    }>> | undefined;
  } | null | undefined;
}

export interface CreateRequirementGroupRequest {
  /** What you call the holder, up to 128 characters */
  readonly name: string;
  readonly requirements?: SavedRequirements | null | undefined;
  /** An order whose values are kept, as far as they belong to its holder; what `requirements` gives comes first. Its documents remain its own */
  readonly porting_order_id?: string | null | undefined;
}

export interface CreateWebhookEndpointRequest {
  /** Where events are sent: HTTPS, at a public address, on port 443 or from 1024 on, without user name and fragment, up to 2048 characters */
  readonly url: string;
  /** To distinguish endpoints, up to 500 characters */
  readonly description?: string | null | undefined;
  /** The types of events that are sent; empty for all */
  readonly enabled_events?: readonly ("porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "porting_order.foc_date_changed" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed")[] | undefined;
  /** False pauses the endpoint */
  readonly active?: boolean | undefined;
  /** The most webhooks a second, 1 to 1,000; null for no limit */
  readonly max_per_second?: number | null | undefined;
}

/** A change to an object of the account */
export interface Event {
  /** The event's id, the same in its webhooks */
  readonly id: string;
  readonly type: EventType;
  /** The porting order that the event concerns */
  readonly order_id: string | null;
  /** Depends on the type: `PortingOrderCreatedPayload` of `porting_order.created`, and so on */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When the change happened */
  readonly created_at: string;
}

export interface EventList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly Event[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** What happened; clients must accept other types */
export type EventType = "porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "porting_order.foc_date_changed" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed" | (string & {});

export const EVENT_TYPE_VALUES = [
  "porting_order.created",
  "porting_order.split",
  "porting_order.deleted",
  "porting_order.status_changed",
  "porting_order.requirement_updated",
  "porting_order.new_comment",
  "porting_order.foc_date_changed",
  "loa.signed",
  "number.activated",
  "number.provider_changed",
  "call.forwarded",
  "call.completed",
  "call.missed",
  "number.ported_out",
  "port_out.created",
  "port_out.status_changed",
] as const;

/** The names of all event types */
export interface EventTypeList {
  /** The names of all event types */
  readonly data: readonly EventType[];
  /** Always false: it is one page */
  readonly has_more: false;
}

/** One fault of a request, and where it is */
export interface Fault {
  /** Location in the body: a JSON pointer as a URI fragment */
  readonly pointer?: string | undefined;
  /** Query parameter */
  readonly parameter?: string | undefined;
  /** Request header */
  readonly header?: string | undefined;
  /** What is wrong, for programs; later versions may have more codes */
  readonly code: string;
  /** What is wrong, for people */
  readonly detail: string;
}

/** A window in which an order's numbers can be moved */
export interface FocWindow {
  /** When numbers can first be moved, with the offset of their zone */
  readonly opens_at: string;
  /** When they last can */
  readonly closes_at: string;
}

export interface FocWindowList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly FocWindow[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** Where calls to the number go */
export interface Forwarding {
  /** Where calls go first, in E.164 */
  readonly primary: string;
  /** Where calls go that the primary does not answer, in E.164 */
  readonly fallback: string | null;
  /** Who forwards the calls */
  readonly handled_by: "platform" | "carrier" | (string & {});
}

export interface FulfilPortingBatchRequest {
  readonly requirements: GivenRequirements;
}

/** What the orders ask for, by slug: a value as `field_value` takes it, values by number as `field_values` takes them, the id of a document that `POST /v2/documents` returned, or for `loa` what signs the letter */
export type GivenRequirements = Readonly<Record<string, string | {
  /** Who signs: one line of 1 to 128 characters, the authorized person of the order */
  readonly signer_name: string;
  /** The signer's position, one line of 1 to 128 characters */
  readonly signer_title?: string | null | undefined;
  /** The language of the letter, where the country's carriers read it; their usual one otherwise */
  readonly language?: "en" | "de" | "fr" | "es" | "nl" | null | undefined;
  /** A drawn signature: a PNG in base64, up to 349528 characters */
  readonly signature_image?: string | null | undefined;
  /** That the signer consents to sign electronically */
  readonly consent: true;
} | Readonly<Record<string, string>>>>;

/** A porting order in a list */
export interface ListedPortingOrder {
  /** The order's id */
  readonly id: string;
  /** Shared by all orders of one request */
  readonly batch_id: string;
  readonly status: PortingOrderStatus;
  /** Who closed a cancelled order */
  readonly closed_by: "customer" | "provider" | "ops" | (string & {}) | null;
  /** The carrier's own status, unchanged; empty until there is one */
  readonly provider_status: string;
  /** Country of the numbers: two letters (ISO 3166-1 alpha-2) */
  readonly country_code: string;
  readonly number_type: NumberType;
  /** The customer's own reference; empty if none was given */
  readonly customer_reference: string;
  /** Every mandatory requirement has a value and passed its checks, and none is in exception */
  readonly requirements_status: boolean;
  /** The requested port date */
  readonly foc_requested: string | null;
  /** The port date that the carrier confirmed */
  readonly foc_actual: string | null;
  /** The order's numbers in E.164, 1 to 1,000 */
  readonly phone_numbers: readonly string[];
  /** Where this order's webhooks go instead of the account's endpoints */
  readonly webhook_url: string | null;
  /** The carrier that has the numbers now; null if unknown */
  readonly losing_carrier: string | null;
  /** What the order asks for, with its values */
  readonly requirements?: readonly Requirement[] | undefined;
  /** Each number with its own status */
  readonly numbers?: readonly PortingOrderNumber[] | undefined;
  /** The open exceptions */
  readonly exceptions?: readonly OrderException[] | undefined;
  /** Why the order ended, or why the rest of its numbers was not ported */
  readonly closed_reason: ClosedReason | null;
  readonly next_action: NextAction;
  /** A change that the losing carrier has not answered yet */
  readonly pending_change_id: string | null;
  /** When the order was created */
  readonly created_at: string;
  /** When the order last changed */
  readonly updated_at: string;
  /** When the order was first submitted */
  readonly submitted_at: string | null;
  /** When the order reached a final status */
  readonly closed_at: string | null;
  /** How many numbers the order has */
  readonly numbers_count: number;
}

export interface ListedPortingOrderList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly ListedPortingOrder[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** A signature was given and the signed letter of authorization was made. */
export interface LoaSignedPayload {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** Id of the signed PDF. */
  readonly document_id: string;
  /** SHA-256 of the PDF, in hex. */
  readonly sha256: string;
  /** Name of the person who signed. */
  readonly signer_name: string;
  /** When it was signed. */
  readonly signed_at: string;
}

/** The body of the webhook `loa.signed` */
export interface LoaSignedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "loa.signed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: LoaSignedPayload;
}

/** The orders that one request created */
export interface NewPortingOrders {
  /** Shared by all orders of this request */
  readonly batch_id: string;
  /** One order per country, number type and losing carrier */
  readonly data: readonly PortingOrder[];
  /** The numbers that were not ordered; with `skip_invalid` alone */
  readonly skipped?: readonly {
    /** The number, as sent */
    readonly phone_number: string;
    /** Why it was not ordered: a code of a number's fault */
    readonly code: string;
    /** Why, for people */
    readonly detail: string;
  }[] | undefined;
}

/** The deliveries that a republish created */
export interface NewWebhookDeliveries {
  /** The new deliveries */
  readonly data: readonly WebhookDelivery[];
}

/** Who has to act next, and how */
export interface NextAction {
  /** Who has to act next */
  readonly actor: "customer" | "desk" | "carrier" | "none" | (string & {});
  /** What is to be done */
  readonly action: "complete_requirements" | "submit" | "wait_for_review" | "wait_for_carrier" | "fix_requirement" | "submit_again" | "wait_for_activation" | "confirm_date" | "handle_exception" | "none" | (string & {});
  /** When something happens by itself: the expiry of a draft or rejection, the desk's due time in review, the port date once it is confirmed, or, of an earlier one than requested, when the carrier is asked for that again; null if nothing does */
  readonly due_at: string | null;
}

/** A number on the platform */
export interface Number {
  /** The number in E.164, which is also its id */
  readonly phone_number: string;
  readonly status: NumberStatus;
  /** Country of the number: two letters (ISO 3166-1 alpha-2) */
  readonly country_code: string;
  readonly number_type: NumberType;
  /** The provider that hosts the number */
  readonly provider: string;
  readonly source: NumberSource;
  /** The order that ported the number in; null if it was imported */
  readonly porting_order_id: string | null;
  /** When the number went live */
  readonly activated_at: string;
  readonly release: NumberRelease;
  readonly forwarding: Forwarding | null;
  /** Whether every port-out of the number is rejected */
  readonly port_out_lock: boolean;
  /** Whether a port-out has to state a PIN; the PIN itself is never shown */
  readonly port_out_pin_set: boolean;
  /** The customer's labels */
  readonly tags: readonly string[];
  /** The customer's own reference of its connection */
  readonly connection_ref: string | null;
  /** The customer's own reference of its messaging profile */
  readonly messaging_ref: string | null;
  /** The customer's own reference of its emergency address */
  readonly emergency_address_ref: string | null;
}

/** A number went live. */
export interface NumberActivatedPayload {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Id of the order that brought it in. */
  readonly porting_order_id: string;
  /** Two-letter country code of the number. */
  readonly country_code: string;
  /** Type of the number. */
  readonly number_type: NumberType;
  /** When it went live. */
  readonly activated_at: string;
}

/** The body of the webhook `number.activated` */
export interface NumberActivatedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "number.activated";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: NumberActivatedPayload;
}

/** How the order's numbers are set at the moment in which each becomes active */
export interface NumberConfiguration {
  readonly default: NumberSettings;
  /** What single numbers have of their own, by number */
  readonly numbers: Readonly<Record<string, NumberSettings>>;
}

/** How the numbers of the next orders are set */
export interface NumberDefaults {
  /** Where calls go; null for nowhere */
  readonly forwarding: {
    /** Where calls go first, in E.164 */
    readonly primary: string;
    /** Where calls go that the primary does not answer, in E.164 */
    readonly fallback: string | null;
  } | null;
  /** Whether every port-out is rejected */
  readonly port_out_lock: boolean;
  /** When they were last changed; null until they are set */
  readonly updated_at: string | null;
}

export interface NumberList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly Number[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** A number left the account. */
export interface NumberPortedOutPayload {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Id of the port-out; null where the number became another account's. */
  readonly port_out_id: string | null;
  /** Carrier that took the number, where known. */
  readonly gaining_carrier: string | null;
  /** When it left. */
  readonly ported_out_at: string;
}

/** The body of the webhook `number.ported_out` */
export interface NumberPortedOutWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "number.ported_out";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: NumberPortedOutPayload;
}

/** Operators corrected which provider hosts a number. */
export interface NumberProviderChangedPayload {
  /** The number, in E.164. */
  readonly phone_number: string;
  /** Provider that was on record. */
  readonly previous_provider: string;
  /** Provider that hosts the number. */
  readonly new_provider: string;
  /** True when forwarding is set and its request was queued to the new provider. */
  readonly forwarding_reapplied: boolean;
}

/** The body of the webhook `number.provider_changed` */
export interface NumberProviderChangedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "number.provider_changed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: NumberProviderChangedPayload;
}

/** Why a `released` number left; else null */
export type NumberRelease = {
  /** Why it left without a port-out */
  readonly reason: "snapback" | "disconnected" | "returned_to_holder" | (string & {});
  /** When it left */
  readonly at: string;
} | null;

/** Settings of numbers that are not live yet */
export interface NumberSettings {
  readonly forwarding?: Forwarding | null | undefined;
  /** Whether every port-out of the number is rejected */
  readonly port_out_lock?: boolean | undefined;
  /** Whether a port-out has to state a PIN; the PIN itself is never shown */
  readonly port_out_pin_set?: boolean | undefined;
  /** The customer's labels */
  readonly tags?: readonly string[] | undefined;
  /** The customer's own reference of its connection */
  readonly connection_ref?: string | null | undefined;
  /** The customer's own reference of its messaging profile */
  readonly messaging_ref?: string | null | undefined;
  /** The customer's own reference of its emergency address */
  readonly emergency_address_ref?: string | null | undefined;
}

/** Whether an order ported it in, or it was imported */
export type NumberSource = "ported" | "imported" | (string & {});

export const NUMBER_SOURCE_VALUES = [
  "ported",
  "imported",
] as const;

/** Whether the number is on the platform */
export type NumberStatus = "active" | "porting_out" | "ported_out" | "released" | (string & {});

export const NUMBER_STATUS_VALUES = [
  "active",
  "porting_out",
  "ported_out",
  "released",
] as const;

/** Type of a number by its country's numbering plan */
export type NumberType = "local" | "mobile" | "toll_free" | "national" | "shared_cost" | (string & {});

export const NUMBER_TYPE_VALUES = [
  "local",
  "mobile",
  "toll_free",
  "national",
  "shared_cost",
] as const;

/** The value of one number */
export interface NumberValue {
  /** Whose value it is */
  readonly phone_number: string;
  /** Masked if it is sensitive; null until it is given */
  readonly field_value: string | null;
  readonly status: RequirementStatus;
  /** Why this value was rejected; null unless it is in exception */
  readonly exception_reason: string | null;
  /** A value that is accepted; for a document, a description of a good one */
  readonly example?: string | undefined;
}

/** What the desk or the losing carrier objected to */
export interface OrderException {
  /** A code of /v2/porting_exceptions, or what the desk found wrong with a document: document_illegible, document_wrong, document_incomplete, document_unsigned, signer_mismatch, numbers_missing, document_too_old */
  readonly code: string | null;
  /** What has to be corrected, for people */
  readonly detail: string;
  /** The requirement that the exception concerns */
  readonly slug: string | null;
  /** Who found it */
  readonly raised_by: "desk" | "carrier" | (string & {});
  /** When it was found */
  readonly raised_at: string;
}

/** Another carrier's request for numbers of the account */
export interface PortOut {
  /** The port-out's id */
  readonly id: string;
  /** The requested numbers in E.164 */
  readonly phone_numbers: readonly string[];
  readonly status: PortOutStatus;
  /** The carrier that asks for the numbers */
  readonly gaining_carrier: string;
  /** The port date that the gaining carrier asked for */
  readonly requested_foc: string;
  /** The confirmed port date */
  readonly foc_actual: string | null;
  readonly requester: PortOutRequester;
  /** When the port-out proceeds without a decision */
  readonly decision_deadline: string | null;
  /** The decision; null until there is one */
  readonly decision: {
    /** Who decided; `ops` is the porting desk */
    readonly by: "customer" | "ops" | "system" | (string & {});
    /** When it was decided */
    readonly at: string;
    /** Why it was rejected; null if it was approved */
    readonly code: "account_number_invalid" | "pin_missing" | "pin_invalid" | "postal_code_invalid" | "subscriber_mismatch" | "number_not_on_account" | "number_not_active" | "invalid_request" | "port_locked" | (string & {}) | null;
    /** The reason in words, if one was given */
    readonly reason: string | null;
  } | null;
  /** The carrier's own status, unchanged; null until there is one */
  readonly provider_status: string | null;
  /** When the request arrived */
  readonly created_at: string;
  /** When the port-out last changed */
  readonly updated_at: string;
}

/** Another carrier requested numbers of the account. */
export interface PortOutCreatedPayload {
  /** The port-out. */
  readonly port_out: PortOutSnapshot;
}

/** The body of the webhook `port_out.created` */
export interface PortOutCreatedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "port_out.created";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortOutCreatedPayload;
}

/** Who decided the port-out, and how. */
export interface PortOutDecision {
  /** Who decided: customer, ops or system. */
  readonly by: string;
  /** When it was decided. */
  readonly at: string;
  /** Canonical code of a rejection; null on approval. */
  readonly code: string | null;
  /** Reason in words, where one was given. */
  readonly reason: string | null;
}

export interface PortOutList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly PortOut[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** A code for rejecting the port-out */
export interface PortOutRejectionCode {
  /** The code of a rejection */
  readonly code: "account_number_invalid" | "pin_missing" | "pin_invalid" | "postal_code_invalid" | "subscriber_mismatch" | "number_not_on_account" | "number_not_active" | "invalid_request" | "port_locked" | (string & {});
  /** What it says */
  readonly title: string;
  /** Whether a reason in words is needed */
  readonly reason_required: boolean;
  /** False where the numbers show that it is not so: rejecting with it is refused */
  readonly allowed: boolean;
}

export interface PortOutRejectionCodeList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly PortOutRejectionCode[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** What the gaining carrier states of its customer; null if nothing */
export type PortOutRequester = {
  /** The gaining carrier's order number (PON) */
  readonly pon: string | null;
  /** The gaining carrier's service provider id */
  readonly spid: string | null;
  /** The stated account number; only its end is shown */
  readonly account_number: string | null;
  /** The stated postal code */
  readonly postal_code: string | null;
  /** The stated account holder */
  readonly subscriber_name: string | null;
  /** The stated service address */
  readonly service_address: string | null;
  /** Who is said to have authorized it */
  readonly authorized_name: string | null;
} | null;

/** A port-out as it stood when the event happened. */
export interface PortOutSnapshot {
  /** Id of the port-out. */
  readonly id: string;
  /** Numbers that the gaining carrier asks for, in E.164. */
  readonly phone_numbers: readonly string[];
  /** Status, such as requested, decision_required or approved. */
  readonly status: PortOutStatus;
  /** Carrier that asks for the numbers. */
  readonly gaining_carrier: string;
  /** Port date that it asks for, ISO 8601 with the offset it was given. */
  readonly requested_foc: string;
  /** Confirmed port date, ISO 8601 with the offset it was given. */
  readonly foc_actual: string | null;
  /** When the port-out goes ahead without a decision; null where none is awaited. */
  readonly decision_deadline: string | null;
  /** The decision; null until there is one. */
  readonly decision: PortOutDecision | null;
  /** Last word of the provider that asked, untouched. */
  readonly provider_status: string | null;
  /** When the request arrived. */
  readonly created_at: string;
  /** When the port-out last changed. */
  readonly updated_at: string;
}

/** Where the port-out stands */
export type PortOutStatus = "requested" | "decision_required" | "approved" | "rejected" | "expired" | "cancelled" | "ported_out" | (string & {});

export const PORT_OUT_STATUS_VALUES = [
  "requested",
  "decision_required",
  "approved",
  "rejected",
  "expired",
  "cancelled",
  "ported_out",
] as const;

/** A port-out needs a decision, or was decided, expired or cancelled. */
export interface PortOutStatusChangedPayload {
  /** The port-out after the move. */
  readonly port_out: PortOutSnapshot;
  /** Status before the move. */
  readonly previous_status: PortOutStatus;
  /** Status after the move. */
  readonly new_status: PortOutStatus;
}

/** The body of the webhook `port_out.status_changed` */
export interface PortOutStatusChangedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "port_out.status_changed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortOutStatusChangedPayload;
}

/** Whether a number can be ordered now */
export interface PortabilityCheck {
  /** The number as sent */
  readonly phone_number: string;
  /** Whether an order for it would be accepted now */
  readonly portable: boolean;
  /** Country of the number; null if it is invalid: two letters (ISO 3166-1 alpha-2) */
  readonly country_code: string | null;
  readonly number_type: NumberType | null;
  /** The carrier that has the number now; null if unknown */
  readonly losing_carrier: string | null;
  /** Why the number cannot be ordered; null if it can */
  readonly reason: "invalid_number" | "country_not_supported" | "already_active" | "number_in_active_order" | (string & {}) | null;
  /** The reason in words, for people; null if there is none */
  readonly detail: string | null;
  /** The earliest port date of a new order of these numbers, which has no values yet, if it were submitted now, in the country's own time */
  readonly earliest_foc: string | null;
}

/** Whether the numbers of a request can be ordered */
export interface PortabilityChecks {
  /** Every number of the request, once */
  readonly data: readonly PortabilityCheck[];
}

/** What the pages of links to an order show of it */
export interface PortalBranding {
  /** The name that end users know */
  readonly name: string | null;
  /** The colour of buttons and links: `#rrggbb` */
  readonly colour: string | null;
  /** Where a browser fetches the logo, without a key */
  readonly logo_url: string | null;
  /** When it was last changed */
  readonly updated_at: string | null;
}

/** A link into the customers' portal */
export interface PortalSession {
  /** The session's id */
  readonly id: string;
  /** The only order that the link opens; null for the whole account */
  readonly order_id: string | null;
  /** When the link was made */
  readonly created_at: string;
  /** When the link and what it opened end */
  readonly expires_at: string;
  /** When the link was first opened */
  readonly opened_at: string | null;
  /** When the session was ended before it expired */
  readonly ended_at: string | null;
}

export interface PortalSessionList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly PortalSession[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** A new portal session, with its link */
export interface PortalSessionWithLink {
  /** The session's id */
  readonly id: string;
  /** The only order that the link opens; null for the whole account */
  readonly order_id: string | null;
  /** When the link was made */
  readonly created_at: string;
  /** When the link and what it opened end */
  readonly expires_at: string;
  /** When the link was first opened */
  readonly opened_at: string | null;
  /** When the session was ended before it expired */
  readonly ended_at: string | null;
  /** The link, shown once; a person opens it in a browser */
  readonly url: string;
}

/** A canonical reason why a port is rejected */
export interface PortingException {
  /** Stable; for use by programs */
  readonly code: string;
  /** What it means, in short */
  readonly title: string;
  /** What has to be done */
  readonly detail: string;
  /** The requirement that the code most likely concerns */
  readonly slug: string | null;
  /** Who can resolve it */
  readonly owner: "customer" | "desk" | "carrier" | (string & {});
}

export interface PortingExceptionList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly PortingException[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** An order to port numbers to the platform */
export interface PortingOrder {
  /** The order's id */
  readonly id: string;
  /** Shared by all orders of one request */
  readonly batch_id: string;
  readonly status: PortingOrderStatus;
  /** Who closed a cancelled order */
  readonly closed_by: "customer" | "provider" | "ops" | (string & {}) | null;
  /** The carrier's own status, unchanged; empty until there is one */
  readonly provider_status: string;
  /** Country of the numbers: two letters (ISO 3166-1 alpha-2) */
  readonly country_code: string;
  readonly number_type: NumberType;
  /** The customer's own reference; empty if none was given */
  readonly customer_reference: string;
  /** Every mandatory requirement has a value and passed its checks, and none is in exception */
  readonly requirements_status: boolean;
  /** The requested port date */
  readonly foc_requested: string | null;
  /** The port date that the carrier confirmed */
  readonly foc_actual: string | null;
  /** The order's numbers in E.164, 1 to 1,000 */
  readonly phone_numbers: readonly string[];
  /** Where this order's webhooks go instead of the account's endpoints */
  readonly webhook_url: string | null;
  /** The carrier that has the numbers now; null if unknown */
  readonly losing_carrier: string | null;
  /** What the order asks for, with its values */
  readonly requirements: readonly Requirement[];
  /** Each number with its own status */
  readonly numbers: readonly PortingOrderNumber[];
  /** The open exceptions */
  readonly exceptions: readonly OrderException[];
  /** Why the order ended, or why the rest of its numbers was not ported */
  readonly closed_reason: ClosedReason | null;
  readonly next_action: NextAction;
  /** A change that the losing carrier has not answered yet */
  readonly pending_change_id: string | null;
  /** Null if there is none; of an order that is read alone */
  readonly number_configuration?: NumberConfiguration | null | undefined;
  /** When the order was created */
  readonly created_at: string;
  /** When the order last changed */
  readonly updated_at: string;
  /** When the order was first submitted */
  readonly submitted_at: string | null;
  /** When the order reached a final status */
  readonly closed_at: string | null;
}

/** A change of an order that its carrier has */
export interface PortingOrderChange {
  /** The change's id */
  readonly id: string;
  /** What came of it; pending until the losing carrier has answered */
  readonly status: "pending" | "accepted" | "refused" | "withdrawn" | (string & {});
  /** What was asked for */
  readonly requested: {
    /** The port date to ask for; null where it is to stay */
    readonly foc_requested: string | null;
    /** Numbers to take out of the order */
    readonly remove_phone_numbers: readonly string[];
    /** Why */
    readonly reason: string | null;
  };
  /** Why it was refused or withdrawn, for people */
  readonly detail: string | null;
  /** When it was asked for */
  readonly created_at: string;
  /** When it ended */
  readonly decided_at: string | null;
}

export interface PortingOrderChangeList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly PortingOrderChange[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** The note. */
export interface PortingOrderComment {
  /** Id of the comment. */
  readonly id: string;
  /** Its text. */
  readonly body: string;
  /** Who wrote it: ops or carrier. */
  readonly author_type: string;
  /** When it was written. */
  readonly created_at: string;
}

/** A draft order was created. */
export interface PortingOrderCreatedPayload {
  /** The order. */
  readonly porting_order: PortingOrderSnapshot;
}

/** The body of the webhook `porting_order.created` */
export interface PortingOrderCreatedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.created";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderCreatedPayload;
}

/** A never-submitted draft was deleted. */
export interface PortingOrderDeletedPayload {
  /** Id of the order that is gone. */
  readonly porting_order_id: string;
  /** Id shared by all orders that came from one request. */
  readonly batch_id: string;
  /** The customer's own reference; empty where none was given. */
  readonly customer_reference: string;
  /** Numbers of the order, in E.164. */
  readonly phone_numbers: readonly string[];
  /** When it was deleted. */
  readonly deleted_at: string;
  /** Who deleted it: customer or expiry. */
  readonly deleted_by: string;
}

/** The body of the webhook `porting_order.deleted` */
export interface PortingOrderDeletedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.deleted";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderDeletedPayload;
}

/** The desk or the carrier left a note on an order. */
export interface PortingOrderNewCommentPayload {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** The comment. */
  readonly comment: PortingOrderComment;
}

/** The body of the webhook `porting_order.new_comment` */
export interface PortingOrderNewCommentWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.new_comment";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderNewCommentPayload;
}

/** A number of a porting order */
export interface PortingOrderNumber {
  /** The number, in E.164 */
  readonly phone_number: string;
  /** How far the port of this number is */
  readonly status: "pending" | "activating" | "active" | "failed" | "cancelled" | (string & {});
  /** Why the carrier could not port the number; null unless it failed */
  readonly failure_code: string | null;
  /** When the number went live */
  readonly activated_at: string | null;
}

/** A requirement was approved or rejected. */
export interface PortingOrderRequirementUpdatedPayload {
  /** Id of the order. */
  readonly porting_order_id: string;
  /** The requirement. */
  readonly requirement: ReviewedRequirement;
}

/** The body of the webhook `porting_order.requirement_updated` */
export interface PortingOrderRequirementUpdatedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.requirement_updated";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderRequirementUpdatedPayload;
}

/** A porting order as it stood when the event happened. */
export interface PortingOrderSnapshot {
  /** Id of the order. */
  readonly id: string;
  /** Id shared by all orders that came from one request. */
  readonly batch_id: string;
  /** Canonical status, such as draft, in_review or completed. */
  readonly status: PortingOrderStatus;
  /** Who ended a cancelled order: customer, provider or ops; null while it is not cancelled. */
  readonly closed_by: string | null;
  /** The carrier's raw status, untouched; empty until there is one. */
  readonly provider_status: string;
  /** Two-letter country code of the numbers. */
  readonly country_code: string;
  /** Type of the numbers, such as local, mobile or toll_free. */
  readonly number_type: NumberType;
  /** The customer's own reference; empty where none was given. */
  readonly customer_reference: string;
  /** True when every mandatory requirement has a value, passed its checks and none is in exception. */
  readonly requirements_status: boolean;
  /** Port date that the customer asked for, ISO 8601 with the offset it was given. */
  readonly foc_requested: string | null;
  /** Port date that the carrier confirmed, ISO 8601 with the offset it was given. */
  readonly foc_actual: string | null;
  /** Numbers of the order, in E.164. */
  readonly phone_numbers: readonly string[];
}

/** One request became several orders. */
export interface PortingOrderSplitPayload {
  /** Id shared by the orders. */
  readonly batch_id: string;
  /** The orders, in the order of their creation. */
  readonly porting_orders: readonly SplitPortingOrder[];
}

/** The body of the webhook `porting_order.split` */
export interface PortingOrderSplitWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.split";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderSplitPayload;
}

/** Where the order stands, whatever carrier is behind it */
export type PortingOrderStatus = "draft" | "in_review" | "submitted" | "in_process" | "rejection" | "foc_scheduled" | "activating" | "completed" | "completed_partial" | "cancel_pending" | "cancelled" | (string & {});

export const PORTING_ORDER_STATUS_VALUES = [
  "draft",
  "in_review",
  "submitted",
  "in_process",
  "rejection",
  "foc_scheduled",
  "activating",
  "completed",
  "completed_partial",
  "cancel_pending",
  "cancelled",
] as const;

/** An order moved through its lifecycle. */
export interface PortingOrderStatusChangedPayload {
  /** The order after the move. */
  readonly porting_order: PortingOrderSnapshot;
  /** Status before the move. */
  readonly previous_status: PortingOrderStatus;
  /** Status after the move; equal to the one before where only the port date moved. */
  readonly new_status: PortingOrderStatus;
}

/** The body of the webhook `porting_order.status_changed` */
export interface PortingOrderStatusChangedWebhook {
  /** The event's id; the same whenever it is sent again */
  readonly id: string;
  /** The event's type */
  readonly type: "porting_order.status_changed";
  /** When the change happened */
  readonly created_at: string;
  readonly payload: PortingOrderStatusChangedPayload;
}

/** What went wrong (RFC 9457) */
export interface Problem {
  /** The code as a URI; it is not a page */
  readonly type: string;
  /** The kind of problem, the same whenever its code is */
  readonly title: string;
  /** The HTTP status */
  readonly status: number;
  /** What went wrong in this request, for people */
  readonly detail: string;
  readonly code: ProblemCode;
  /** The response's Request-Id, to quote when reporting a problem */
  readonly request_id: string;
  /** Every fault of the request */
  readonly errors?: readonly Fault[] | undefined;
}

/** The kind of problem, stable, for programs */
export type ProblemCode = "malformed_json" | "invalid_parameter" | "invalid_header" | "unauthorized" | "account_suspended" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_state" | "not_ready" | "last_active_key" | "number_in_active_order" | "cancel_too_late" | "change_too_late" | "endpoint_paused" | "idempotency_in_progress" | "claimed" | "already_decided" | "quota_exceeded" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "webhook_url_blocked" | "idempotency_key_reused" | "rate_limited" | "internal" | "unavailable" | (string & {});

export const PROBLEM_CODE_VALUES = [
  "malformed_json",
  "invalid_parameter",
  "invalid_header",
  "unauthorized",
  "account_suspended",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "not_acceptable",
  "invalid_state",
  "not_ready",
  "last_active_key",
  "number_in_active_order",
  "cancel_too_late",
  "change_too_late",
  "endpoint_paused",
  "idempotency_in_progress",
  "claimed",
  "already_decided",
  "quota_exceeded",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "webhook_url_blocked",
  "idempotency_key_reused",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

/** Whether an order can be submitted */
export interface Readiness {
  /** Whether the order can be submitted now */
  readonly ready: boolean;
  /** What blocks; empty if the order is ready */
  readonly blocking: readonly ({
    /** The requirement's slug, or `foc_requested` where the port date blocks */
    readonly slug: string;
    /** Why it blocks; `checking` passes by itself */
    readonly code: "missing" | "exception" | "checking" | "check_failed" | "document_too_old" | "foc_not_possible" | (string & {});
    /** Why it blocks, for people */
    readonly detail: string;
  })[];
  /** Why the order is not ready whatever its requirements: the porting desk settles its rejection with the carrier. Null otherwise */
  readonly detail: string | null;
}

export interface RecoverWebhookEndpointRequest {
  /** The start of the range: ISO 8601 with an offset, in the past */
  readonly since: string;
  /** The end of the range, later than `since`; now unless given */
  readonly until?: string | null | undefined;
  /** `failed`: deliveries that failed; `missing`: events that were skipped or never sent; `all`: every event */
  readonly mode: "failed" | "missing" | "all";
  /** Counts the events and sends none */
  readonly dry_run?: boolean | undefined;
}

export interface RejectPortOutRequest {
  /** Why the port-out is rejected */
  readonly code: "account_number_invalid" | "pin_missing" | "pin_invalid" | "postal_code_invalid" | "subscriber_mismatch" | "number_not_on_account" | "number_not_active" | "invalid_request" | "port_locked";
  /** The reason in words, for the gaining carrier; up to 1,000 characters */
  readonly reason?: string | null | undefined;
}

/** What an order asks for, with its value */
export interface Requirement {
  /** Names the requirement in paths */
  readonly slug: string;
  /** A label for people */
  readonly name: string;
  readonly field_type: RequirementFieldType;
  /** Whether the order needs it to be submitted */
  readonly mandatory: boolean;
  readonly scope: RequirementScope;
  /** What is asked for, for people */
  readonly description?: string | undefined;
  /** A value that is accepted; for a document, a description of a good one */
  readonly example?: string | undefined;
  /** The criteria of an acceptable value: pattern, options, lengths, types */
  readonly acceptance_criteria?: Readonly<Record<string, unknown>> | undefined;
  readonly status: RequirementStatus;
  /** Why the value was rejected; absent unless the requirement is in exception */
  readonly exception_reason?: string | null | undefined;
  /** Masked if it is sensitive; for a document, its id; null where several numbers have values of their own */
  readonly field_value: string | null;
  /** Of each number, in the order's sequence; absent unless the scope is `number`. The requirement is approved once all are, and in exception while one is */
  readonly values?: readonly NumberValue[] | undefined;
  /** The date of the document, as uploaded */
  readonly document_date: string | null;
  /** Of the document's automatic check; why it failed is in the readiness */
  readonly check_state: "none" | "checking" | "passed" | "failed" | (string & {});
}

/** What orders of a kind ask for */
export interface RequirementDefinition {
  /** Names the requirement in paths */
  readonly slug: string;
  /** A label for people */
  readonly name: string;
  readonly field_type: RequirementFieldType;
  /** Whether the order needs it to be submitted */
  readonly mandatory: boolean;
  readonly scope: RequirementScope;
  /** What is asked for, for people */
  readonly description: string;
  /** A value that is accepted; for a document, a description of a good one */
  readonly example: string;
  /** The criteria of an acceptable value: pattern, options, lengths, types */
  readonly acceptance_criteria: Readonly<Record<string, unknown>>;
}

export interface RequirementDefinitionList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly RequirementDefinition[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** The form of its value: a file for `document`, else a string */
export type RequirementFieldType = "document" | "text" | "address" | "date" | "choice" | (string & {});

export const REQUIREMENT_FIELD_TYPE_VALUES = [
  "document",
  "text",
  "address",
  "date",
  "choice",
] as const;

/** A holder's values for the next orders */
export interface RequirementGroup {
  /** The `requirement_group_id` of orders */
  readonly id: string;
  /** What you call the holder, up to 128 characters */
  readonly name: string;
  readonly requirements: SavedRequirements;
  /** When it was saved */
  readonly created_at: string;
  /** When it was last changed */
  readonly updated_at: string;
}

export interface RequirementGroupList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly RequirementGroup[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** Whether one value is for the whole order, or each of its numbers has its own */
export type RequirementScope = "order" | "number" | (string & {});

export const REQUIREMENT_SCOPE_VALUES = [
  "order",
  "number",
] as const;

/** Where the requirement stands in review */
export type RequirementStatus = "requirement-info-pending" | "requirement-info-under-review" | "requirement-info-exception" | "approved" | (string & {});

export const REQUIREMENT_STATUS_VALUES = [
  "requirement-info-pending",
  "requirement-info-under-review",
  "requirement-info-exception",
  "approved",
] as const;

/** The requirement after the decision. */
export interface ReviewedRequirement {
  /** Name of the requirement, such as loa. */
  readonly slug: string;
  /** requirement-info-exception or approved. */
  readonly status: RequirementStatus;
  /** Why it was rejected; null on approval. */
  readonly reason?: string | null | undefined;
}

export interface RotateWebhookEndpointSecretRequest {
  /** How long the previous secret signs too, in seconds: 0 to 604800 */
  readonly overlap_seconds?: number | undefined;
}

export interface RotateWebhookSigningSecretRequest {
  /** How long the previous secret signs too, in seconds: 0 to 604800 */
  readonly overlap_seconds?: number | undefined;
}

/** The account's new signing secret */
export interface RotatedAccountSecret {
  /** The secret that signs webhooks, shown once */
  readonly signing_secret: string;
  /** Until then deliveries are signed with both secrets */
  readonly previous_secret_expires_at: string | null;
}

/** The endpoint's new signing secret */
export interface RotatedEndpointSecret {
  /** The secret that signs webhooks, shown once */
  readonly signing_secret: string;
  /** Until then deliveries are signed with both secrets */
  readonly previous_secret_expires_at: string | null;
  /** The endpoint's id */
  readonly id: string;
}

/** What belongs to the holder, by slug: a value of up to 600 characters as `field_value` takes it, or the id of a document that `POST /v2/documents` returned. Not `loa`, sensitive values and what each number has of its own: these belong to an order */
export type SavedRequirements = Readonly<Record<string, string>>;

export interface SignLoaRequest {
  /** Who signs: one line of 1 to 128 characters, the authorized person of the order */
  readonly signer_name: string;
  /** The signer's position, one line of 1 to 128 characters */
  readonly signer_title?: string | null | undefined;
  /** The language of the letter, where the country's carriers read it; their usual one otherwise */
  readonly language?: "en" | "de" | "fr" | "es" | "nl" | null | undefined;
  /** A drawn signature: a PNG in base64, up to 349528 characters */
  readonly signature_image?: string | null | undefined;
  /** That the signer consents to sign electronically */
  readonly consent: true;
}

/** A signed letter of authorization */
export interface SignedLoa {
  /** The id of the signed PDF */
  readonly document_id: string;
  /** SHA-256 of the signed PDF, in hex */
  readonly sha256: string;
  /** When it was signed */
  readonly signed_at: string;
}

/** One of the orders that a request was split into. */
export interface SplitPortingOrder {
  /** Id of the order. */
  readonly id: string;
  /** Its numbers, in E.164. */
  readonly phone_numbers: readonly string[];
  /** Two-letter country code of its numbers. */
  readonly country_code: string;
  /** Type of its numbers. */
  readonly number_type: NumberType;
  /** Carrier that hosts its numbers today; null where unknown. */
  readonly losing_carrier: string | null;
}

export interface TestWebhookEndpointRequest {
  /** The type of the sample event; the first enabled one unless given */
  readonly event_type?: "porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed" | null | undefined;
}

/** Something that happened to an order */
export interface TimelineEntry {
  /** The entry's id */
  readonly id: string;
  /** When it happened */
  readonly at: string;
  /** What the entry is about */
  readonly kind: "status" | "requirement" | "comment" | "number" | "change" | "order" | "carrier" | "document" | "ignored" | (string & {});
  readonly actor: Actor;
  /** Details that depend on the kind */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TimelineEntryList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly TimelineEntry[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

export interface UpdateNumberDefaultsRequest {
  /** Where calls to the number go; null switches forwarding off */
  readonly forwarding?: {
    /** Where calls go first, in E.164 */
    readonly primary: string;
    /** Where calls go that the primary does not answer, in E.164; null for nowhere */
    readonly fallback?: string | null | undefined;
  } | null | undefined;
  /** Whether every port-out is rejected */
  readonly port_out_lock?: boolean | undefined;
}

export interface UpdateNumberRequest {
  /** Where calls to the number go; null switches forwarding off */
  readonly forwarding?: {
    /** Where calls go first, in E.164 */
    readonly primary: string;
    /** Where calls go that the primary does not answer, in E.164; null for nowhere */
    readonly fallback?: string | null | undefined;
  } | null | undefined;
  /** Whether every port-out is rejected */
  readonly port_out_lock?: boolean | undefined;
  /** The PIN that a port-out must state: 4 to 10 digits; null removes it */
  readonly port_out_pin?: string | null | undefined;
  /** Up to 20 labels of yours */
  readonly tags?: readonly string[] | undefined;
  /** Your own reference of its connection, up to 255 characters; null removes it */
  readonly connection_ref?: string | null | undefined;
  /** Your own reference of its messaging profile, up to 255 characters; null removes it */
  readonly messaging_ref?: string | null | undefined;
  /** Your own reference of its emergency address, up to 255 characters; null removes it */
  readonly emergency_address_ref?: string | null | undefined;
}

export interface UpdatePortingOrderRequest {
  /** The customer's own reference, up to 128 characters */
  readonly customer_reference?: string | undefined;
  /** Where this order's webhooks go instead of the account's endpoints: HTTPS, up to 2,048 characters */
  readonly webhook_url?: string | null | undefined;
  /** The port date to ask for: ISO 8601 with an offset, in the future, at most 180 days ahead */
  readonly foc_requested?: string | null | undefined;
  /** Numbers to take out of the order: 1 to 1,000 in E.164 */
  readonly remove_phone_numbers?: readonly string[] | undefined;
  /** How its numbers are set at the moment in which each becomes active: forwarding, lock, PIN, tags, references; it replaces what was given before */
  readonly number_configuration?: {
    /** Of every number of the order */
    readonly default?: {
      /** Where calls to the number go; null switches forwarding off */
      readonly forwarding?: {
        /** Where calls go first, in E.164 */
        readonly primary: string;
        /** Where calls go that the primary does not answer, in E.164; null for nowhere */
        readonly fallback?: string | null | undefined;
      } | null | undefined;
      /** Whether every port-out is rejected */
      readonly port_out_lock?: boolean | undefined;
      /** The PIN that a port-out must state: 4 to 10 digits; null removes it */
      readonly port_out_pin?: string | null | undefined;
      /** Up to 20 labels of yours */
      readonly tags?: readonly string[] | undefined;
      /** Your own reference of its connection, up to 255 characters; null removes it */
      readonly connection_ref?: string | null | undefined;
      /** Your own reference of its messaging profile, up to 255 characters; null removes it */
      readonly messaging_ref?: string | null | undefined;
      /** Your own reference of its emergency address, up to 255 characters; null removes it */
      readonly emergency_address_ref?: string | null | undefined;
    } | undefined;
    /** Of single numbers, by number in E.164; what is here wins */
    readonly numbers?: Readonly<Record<string, {
      /** Where calls to the number go; null switches forwarding off */
      readonly forwarding?: {
        /** Where calls go first, in E.164 */
        readonly primary: string;
        /** Where calls go that the primary does not answer, in E.164; null for nowhere */
        readonly fallback?: string | null | undefined;
      } | null | undefined;
      /** Whether every port-out is rejected */
      readonly port_out_lock?: boolean | undefined;
      /** The PIN that a port-out must state: 4 to 10 digits; null removes it */
      readonly port_out_pin?: string | null | undefined;
      /** Up to 20 labels of yours */
      readonly tags?: readonly string[] | undefined;
      /** Your own reference of its connection, up to 255 characters; null removes it */
      readonly connection_ref?: string | null | undefined;
      /** Your own reference of its messaging profile, up to 255 characters; null removes it */
      readonly messaging_ref?: string | null | undefined;
      /** Your own reference of its emergency address, up to 255 characters; null removes it */
      readonly emergency_address_ref?: string | null | undefined;
    }>> | undefined;
  } | null | undefined;
  readonly requirements?: GivenRequirements | undefined;
  /** A saved holder: an order gets those of its values that it asks for, takes and has not been given; what `requirements` gives comes first */
  readonly requirement_group_id?: string | undefined;
}

export interface UpdatePortingOrderRequirementRequest {
  /** The value, in the form that `acceptance_criteria` states; of scope `number` only where the order has one number left */
  readonly field_value?: string | undefined;
  /** Of scope `number`: the values by the order's numbers in E.164; those that are left out stay as they are, and null clears one of an optional requirement */
  readonly field_values?: Readonly<Record<string, string | null>> | undefined;
}

export interface UpdateRequirementGroupRequest {
  /** What you call the holder, up to 128 characters */
  readonly name?: string | undefined;
  readonly requirements?: SavedRequirements | undefined;
}

export interface UpdateWebhookEndpointRequest {
  /** Where events are sent: HTTPS, at a public address, on port 443 or from 1024 on, without user name and fragment, up to 2048 characters */
  readonly url?: string | undefined;
  /** To distinguish endpoints, up to 500 characters */
  readonly description?: string | null | undefined;
  /** The types of events that are sent; empty for all */
  readonly enabled_events?: readonly ("porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "porting_order.foc_date_changed" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed")[] | undefined;
  /** False pauses the endpoint */
  readonly active?: boolean | undefined;
  /** The most webhooks a second, 1 to 1,000; null for no limit */
  readonly max_per_second?: number | null | undefined;
}

/** A document for any order of the account */
export interface UploadedDocument {
  /** The id by which orders are given it */
  readonly id: string;
  /** By its content */
  readonly content_type: "application/pdf" | "image/png" | "image/jpeg" | "image/tiff" | (string & {});
  /** Its size */
  readonly size_bytes: number;
  /** SHA-256 of the file, in hex */
  readonly sha256: string;
  /** The date of the document, as sent */
  readonly document_date: string;
  /** When it was uploaded */
  readonly created_at: string;
}

/** One HTTP request of a delivery */
export interface WebhookAttempt {
  /** Which attempt it was, from 1 */
  readonly attempt: number;
  /** When it started */
  readonly started_at: string;
  /** How long it took, in milliseconds */
  readonly duration_ms: number;
  /** The receiver's HTTP status; null if there was none */
  readonly response_code: number | null;
  /** Why it failed; null if it succeeded */
  readonly error: {
    /** Why it failed, for programs */
    readonly code: "dns_error" | "blocked_address" | "not_https" | "connection_refused" | "connection_reset" | "connection_failed" | "tls_expired" | "tls_wrong_host" | "tls_untrusted" | "tls_version" | "tls_other" | "tls_error" | "timeout_connect" | "timeout_response" | "invalid_response" | "redirect" | "http_error" | "interrupted" | (string & {});
    /** Why it failed, for people */
    readonly message: string;
  } | null;
  /** The first 4 KiB of the response body; null in lists */
  readonly response_body: string | null;
  /** There was a body that is not shown: in lists, and of attempts between the first and the last ten */
  readonly body_omitted?: true | undefined;
}

/** A webhook that was sent, tried or skipped */
export interface WebhookDelivery {
  /** The delivery's id */
  readonly id: string;
  /** The event that is delivered */
  readonly event_id: string;
  readonly event_type: EventType;
  /** Null if it went to an order's own webhook_url */
  readonly webhook_endpoint_id: string | null;
  /** Where it goes */
  readonly url: string;
  /** The order that the event concerns */
  readonly porting_order_id: string | null;
  readonly status: WebhookDeliveryStatus;
  /** Why it was made */
  readonly trigger: "event" | "republish" | "recover" | "test" | (string & {});
  /** How many attempts have ended */
  readonly attempt_count: number;
  /** Whether an attempt is under way */
  readonly attempting: boolean;
  /** When it is tried next */
  readonly next_attempt_at: string | null;
  /** When it was created */
  readonly created_at: string;
  /** When it succeeded or was given up */
  readonly completed_at: string | null;
  /** Each attempt, oldest first */
  readonly attempt_log: readonly WebhookAttempt[];
  /** The exact body sent, as an object */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface WebhookDeliveryList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly WebhookDelivery[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** Where the delivery stands */
export type WebhookDeliveryStatus = "pending" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled" | (string & {});

export const WEBHOOK_DELIVERY_STATUS_VALUES = [
  "pending",
  "retrying",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
] as const;

/** An HTTPS URL that events are sent to */
export interface WebhookEndpoint {
  /** The endpoint's id */
  readonly id: string;
  /** Where events are sent */
  readonly url: string;
  /** To distinguish endpoints */
  readonly description: string | null;
  /** The types of events that are sent; empty for all */
  readonly enabled_events: readonly EventType[];
  /** False while the endpoint is paused */
  readonly active: boolean;
  /** The most webhooks a second, 1 to 1,000; null for no limit */
  readonly max_per_second: number | null;
  /** Who paused it; the system does after days without a success */
  readonly paused_by: "customer" | "system" | (string & {}) | null;
  /** Why the system paused it */
  readonly paused_reason: string | null;
  /** When it was created */
  readonly created_at: string;
  /** When it last changed */
  readonly updated_at: string;
  /** When a delivery last succeeded */
  readonly last_success_at: string | null;
  /** When an attempt last failed */
  readonly last_failure_at: string | null;
  /** Failed attempts since the last success, or since it was last made active */
  readonly consecutive_failures: number;
}

export interface WebhookEndpointList {
  /** The items, newest first unless asked otherwise */
  readonly data: readonly WebhookEndpoint[];
  /** Whether there are more items in the paging direction */
  readonly has_more: boolean;
}

/** A new endpoint, with its signing secret */
export interface WebhookEndpointWithSecret {
  /** The endpoint's id */
  readonly id: string;
  /** Where events are sent */
  readonly url: string;
  /** To distinguish endpoints */
  readonly description: string | null;
  /** The types of events that are sent; empty for all */
  readonly enabled_events: readonly EventType[];
  /** False while the endpoint is paused */
  readonly active: boolean;
  /** The most webhooks a second, 1 to 1,000; null for no limit */
  readonly max_per_second: number | null;
  /** Who paused it; the system does after days without a success */
  readonly paused_by: "customer" | "system" | (string & {}) | null;
  /** Why the system paused it */
  readonly paused_reason: string | null;
  /** When it was created */
  readonly created_at: string;
  /** When it last changed */
  readonly updated_at: string;
  /** When a delivery last succeeded */
  readonly last_success_at: string | null;
  /** When an attempt last failed */
  readonly last_failure_at: string | null;
  /** Failed attempts since the last success, or since it was last made active */
  readonly consecutive_failures: number;
  /** The secret that signs webhooks, shown once */
  readonly signing_secret: string;
}

/** Sending events again that an endpoint missed */
export interface WebhookRecovery {
  /** The recovery's id */
  readonly id: string;
  /** `running` until every event was delivered or failed */
  readonly status: "running" | "completed" | "cancelled" | (string & {});
  /** Events found when the recovery was requested */
  readonly total: number;
  /** Events for which a delivery has been made so far, whatever became of it */
  readonly queued: number;
  /** Events that were delivered */
  readonly succeeded: number;
  /** Events that could not be delivered */
  readonly failed: number;
}

/** What `listApiKeys` can be asked for */
export interface ListApiKeysQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listPortingOrders` can be asked for */
export interface ListPortingOrdersQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
  /** Orders in any of these statuses */
  readonly status?: readonly ("draft" | "in_review" | "submitted" | "in_process" | "rejection" | "foc_scheduled" | "activating" | "completed" | "completed_partial" | "cancel_pending" | "cancelled")[] | undefined;
  /** Orders with exactly this reference */
  readonly customer_reference?: string | undefined;
  /** Orders with this number, in E.164 */
  readonly phone_number?: string | undefined;
  /** Orders of one request */
  readonly batch_id?: string | undefined;
  /** Orders for numbers of this country: ISO 3166-1 alpha-2, in any case */
  readonly country_code?: string | undefined;
  /** Orders for numbers of this type */
  readonly number_type?: "local" | "mobile" | "toll_free" | "national" | "shared_cost" | undefined;
  /** Orders from this carrier, by its whole name in any case */
  readonly losing_carrier?: string | undefined;
  /** Orders whose foc_actual is at or after this time */
  readonly foc_after?: string | undefined;
  /** Orders whose foc_actual is before this time */
  readonly foc_before?: string | undefined;
  /** Parts to show of each order, separated by commas */
  readonly include?: string | undefined;
}

/** What `listAllowedFocWindows` can be asked for */
export interface ListAllowedFocWindowsQuery {
  /** The first moment; the earliest possible one unless given */
  readonly from?: string | undefined;
  /** The last moment; 31 days after the first unless given */
  readonly until?: string | undefined;
}

/** What `listPortingRequirements` can be asked for */
export interface ListPortingRequirementsQuery {
  /** Country of the numbers: ISO 3166-1 alpha-2, in any case */
  readonly country_code: string;
  /** Type of the numbers */
  readonly number_type: "local" | "mobile" | "toll_free" | "national" | "shared_cost";
}

/** What `listRequirementGroups` can be asked for */
export interface ListRequirementGroupsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `getLoa` can be asked for */
export interface GetLoaQuery {
  /** The language of the letter, where the country's carriers read it; their usual one otherwise */
  readonly language?: "en" | "de" | "fr" | "es" | "nl" | undefined;
  /** The letter without a signature and without a mark, to be signed by hand */
  readonly by_hand?: "true" | "false" | undefined;
}

/** What `getDocument` can be asked for */
export interface GetDocumentQuery {
  /** When the link expires, as in the link */
  readonly expires?: string | undefined;
  /** The signature of the link, as in the link */
  readonly signature?: string | undefined;
}

/** What `listPortingOrderComments` can be asked for */
export interface ListPortingOrderCommentsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listPortingOrderTimeline` can be asked for */
export interface ListPortingOrderTimelineQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listNumbers` can be asked for */
export interface ListNumbersQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The number that the page follows */
  readonly starting_after?: string | undefined;
  /** The number that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
  /** Numbers in these statuses */
  readonly status?: readonly ("active" | "porting_out" | "ported_out" | "released")[] | undefined;
  /** Numbers of this country: ISO 3166-1 alpha-2, in any case */
  readonly country_code?: string | undefined;
  /** Numbers that this order ported in */
  readonly porting_order_id?: string | undefined;
}

/** What `listPortOuts` can be asked for */
export interface ListPortOutsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
  /** Port-outs in any of these statuses */
  readonly status?: readonly ("requested" | "decision_required" | "approved" | "rejected" | "expired" | "cancelled" | "ported_out")[] | undefined;
  /** Port-outs of this number, in E.164 */
  readonly phone_number?: string | undefined;
}

/** What `listPortOutComments` can be asked for */
export interface ListPortOutCommentsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listPortingEvents` can be asked for */
export interface ListPortingEventsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
  /** Events of any of these types */
  readonly type?: readonly ("porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "porting_order.foc_date_changed" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed")[] | undefined;
  /** Events of this order */
  readonly porting_order_id?: string | undefined;
  /** Events of the orders with this number, in E.164 */
  readonly phone_number?: string | undefined;
}

/** What `streamPortingEvents` can be asked for */
export interface StreamPortingEventsQuery {
  /** The id of the event to continue after */
  readonly starting_after?: string | undefined;
}

/** What `listWebhookEndpoints` can be asked for */
export interface ListWebhookEndpointsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listWebhookDeliveries` can be asked for */
export interface ListWebhookDeliveriesQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
  /** Deliveries in any of these statuses */
  readonly status?: readonly ("pending" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled")[] | undefined;
  /** Deliveries of events of any of these types */
  readonly event_type?: readonly ("porting_order.created" | "porting_order.split" | "porting_order.deleted" | "porting_order.status_changed" | "porting_order.requirement_updated" | "porting_order.new_comment" | "porting_order.foc_date_changed" | "loa.signed" | "number.activated" | "number.provider_changed" | "call.forwarded" | "call.completed" | "call.missed" | "number.ported_out" | "port_out.created" | "port_out.status_changed")[] | undefined;
  /** Deliveries to this endpoint */
  readonly webhook_endpoint_id?: string | undefined;
  /** Deliveries of this order's events */
  readonly porting_order_id?: string | undefined;
  /** Deliveries of this event */
  readonly event_id?: string | undefined;
  /** Deliveries that have not succeeded, whose last attempt got this HTTP status, or no answer for this `error.code` */
  readonly failure_code?: string | undefined;
}

/** What `listPortingEventDeliveries` can be asked for */
export interface ListPortingEventDeliveriesQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** What `listPortalSessions` can be asked for */
export interface ListPortalSessionsQuery {
  /** Items on a page: 1 to 250, 50 unless given */
  readonly limit?: number | undefined;
  /** The id of the item that the page follows */
  readonly starting_after?: string | undefined;
  /** The id of the item that the page precedes */
  readonly ending_before?: string | undefined;
  /** Oldest (`asc`) or newest first */
  readonly order?: "asc" | "desc" | undefined;
  /** Items created at this time or later */
  readonly created_after?: string | undefined;
  /** Items created before this time */
  readonly created_before?: string | undefined;
}

/** A file, and what `updatePortingOrderRequirement` takes with it */
export interface UpdatePortingOrderRequirementForm {
  /** The document, up to 20 MiB: application/pdf, image/png, image/jpeg, image/tiff */
  readonly file: Blob;
  /** When the document was issued: a time in ISO 8601 with an offset, at most 24 hours ahead. Of a plain day, send its beginning */
  readonly document_date: string;
}

/** A file, and what `uploadDocument` takes with it */
export interface UploadDocumentForm {
  /** The document, up to 20 MiB: application/pdf, image/png, image/jpeg, image/tiff */
  readonly file: Blob;
  /** When the document was issued: a time in ISO 8601 with an offset, at most 24 hours ahead. Of a plain day, send its beginning */
  readonly document_date: string;
}

/** The bodies of webhooks by event type */
export interface Webhooks {
  readonly "porting_order.created": PortingOrderCreatedWebhook;
  readonly "porting_order.split": PortingOrderSplitWebhook;
  readonly "porting_order.deleted": PortingOrderDeletedWebhook;
  readonly "porting_order.status_changed": PortingOrderStatusChangedWebhook;
  readonly "porting_order.requirement_updated": PortingOrderRequirementUpdatedWebhook;
  readonly "porting_order.new_comment": PortingOrderNewCommentWebhook;
  readonly "loa.signed": LoaSignedWebhook;
  readonly "number.activated": NumberActivatedWebhook;
  readonly "number.provider_changed": NumberProviderChangedWebhook;
  readonly "call.forwarded": CallForwardedWebhook;
  readonly "call.completed": CallCompletedWebhook;
  readonly "call.missed": CallMissedWebhook;
  readonly "number.ported_out": NumberPortedOutWebhook;
  readonly "port_out.created": PortOutCreatedWebhook;
  readonly "port_out.status_changed": PortOutStatusChangedWebhook;
}

export const EVENT_TYPES = [
  "porting_order.created",
  "porting_order.split",
  "porting_order.deleted",
  "porting_order.status_changed",
  "porting_order.requirement_updated",
  "porting_order.new_comment",
  "loa.signed",
  "number.activated",
  "number.provider_changed",
  "call.forwarded",
  "call.completed",
  "call.missed",
  "number.ported_out",
  "port_out.created",
  "port_out.status_changed",
] as const;
