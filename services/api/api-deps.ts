import type { CarrierDirectory } from "../domain/carrier/rules/carrier-directory.ts";
import type { Providers } from "../domain/carrier/rules/provider.ts";
import type { TermsOf } from "../domain/terms/rules/port-date.ts";
import type { DocumentLinks } from "../domain/document/rules/document-link.ts";
import type { ExpirySpans } from "../domain/order/rules/next-action.ts";
import type { GainingCarrier } from "../domain/order/rules/loa-content.ts";
import type { RouteBus } from "../messages/bus/bus.ts";
import type { LaggingReads } from "../platform/db/lagging-reads.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { CheckUrl } from "./webhooks/url-check.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { EventStreams } from "./events/stream/event-streams.ts";
import type { LoaPrinter } from "./loa/loa-printer.ts";
import type { HeavyRequests } from "./access/request-slots.ts";
import type { CreateOrders } from "./orders/store/create-orders.ts";

/** The dependencies of the routes. */
export interface ApiDeps {
  readonly bus: RouteBus;
  readonly reads: LaggingReads;
  /** Seals sensitive values and signing secrets. */
  readonly box: SecretBox;
  /** Where documents are stored, and the links by which carriers download them. */
  readonly files: FileStore;
  readonly links: DocumentLinks;
  readonly createOrders: CreateOrders;
  readonly heavy: HeavyRequests;
  readonly directory: CarrierDirectory;
  readonly providers: Providers;
  readonly terms: TermsOf;
  /** The provider for carriers to which the directory assigns none. */
  readonly defaultProvider: string;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cancelCutoffMs: number;
  /** How long before it a customer may still ask for a change. */
  readonly changeCutoffMs: number;
  /** How long drafts and rejections may stay untouched. */
  readonly expirySpans: ExpirySpans;
  readonly carrier: GainingCarrier;
  readonly printer: LoaPrinter;
  readonly live: EventStreams;
  /** Counts a portal link that is none of ours, like a key. @throws `rate_limited` */
  readonly limitFailures: (address: string) => Promise<void>;
  /** Counts an opening of a portal link from an address. @throws `rate_limited` */
  readonly limitOpenings: (address: string) => Promise<void>;
  /** Counts an event that an account republishes. @throws `rate_limited` */
  readonly limitRepublished: (accountId: string) => Promise<void>;
  /** Live portal links of an account; 0 for any number. */
  readonly maxPortalLinks: number;
  /** Events that an account recovers in 24 hours; 0 for any number. */
  readonly maxRecoveredEvents: number;
  /** Bytes of documents that an account uploads or signs in 24 hours; 0 for any number. */
  readonly maxUploadedBytes: number;
  /** Rejects with `webhook_url_blocked` or `validation_failed` if webhooks may not be sent to the URL. */
  readonly checkUrl: CheckUrl;
}
