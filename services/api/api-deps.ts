import type { DataSource } from "typeorm";
import type { CarrierDirectory } from "../domain/carrier/rules/carrier-directory.ts";
import type { DocumentLinks } from "../domain/document/rules/document-link.ts";
import type { GainingCarrier } from "../domain/order/rules/loa-content.ts";
import type { Bus } from "../messages/bus/bus.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { CheckUrl } from "../platform/net/url-check.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { EventStreams } from "./events/stream/start-event-streams.ts";
import type { LoaPrinter } from "./loa/loa-printer.ts";
import type { CreateOrders } from "./orders/create-orders.ts";

/** What the routes work with. */
export interface ApiDeps {
  readonly bus: Bus;
  readonly dataSource: DataSource;
  /** Seals sensitive values and signing secrets. */
  readonly box: SecretBox;
  /** Where documents lie, and the links under which carriers fetch them. */
  readonly files: FileStore;
  readonly links: DocumentLinks;
  readonly createOrders: CreateOrders;
  readonly directory: CarrierDirectory;
  /** Of carriers that the directory gives to none. */
  readonly defaultProvider: string;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cancelCutoffMs: number;
  readonly carrier: GainingCarrier;
  readonly printer: LoaPrinter;
  readonly live: EventStreams;
  /** Rejects with `webhook_url_blocked` or `validation_failed` where webhooks may not go to a URL. */
  readonly checkUrl: CheckUrl;
}
