import type { CarrierDirectory } from "../domain/carrier/rules/carrier-directory.ts";
import type { Bus } from "../messages/bus/bus.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { CreateOrders } from "./orders/create-orders.ts";
import type { SecretBox } from "../platform/secret-box.ts";

/** What the order routes work with. */
export interface ApiDeps {
  readonly bus: Bus;
  /** Seals sensitive values. */
  readonly box: SecretBox;
  /** Where documents lie. */
  readonly files: FileStore;
  readonly createOrders: CreateOrders;
  readonly defaultProvider: string;
  readonly directory: CarrierDirectory;
  /** How long before the confirmed date a customer may still cancel. */
  readonly cancelCutoffMs: number;
  /** Rejects with `webhook_url_blocked` or `validation_failed` where webhooks may not go to the URL. */
  readonly checkWebhookUrl: (url: string) => Promise<void>;
}
