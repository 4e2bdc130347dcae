import type { Page } from "playwright-core";
import type { Subjects } from "./subjects.ts";

export interface Screen {
  readonly name: string;
  /** Null where there is nothing to show; empty for where a link leads. */
  readonly pathOf: (subjects: Subjects) => string | null;
  /** The portal's link is to this order; to the account unless given. */
  readonly orderId?: (subjects: Subjects) => string | null;
  readonly ready?: (page: Page) => Promise<void>;
  /** The documents show it, in this look. */
  readonly docs?: { readonly size?: "wide" | "narrow"; readonly theme?: "light" | "dark" };
}

const at = (path: string) => () => path;
const below = (path: string, id: string | null): string | null => (id === null ? null : path + id);

async function drawn(page: Page): Promise<void> {
  await page.locator("[data-page] canvas, img").first().waitFor();
}

export const DESK_SCREENS: readonly Screen[] = [
  { name: "reviews", pathOf: at("/reviews?view=all"), docs: {} },
  { name: "case", pathOf: ({ caseId }) => below("/reviews/", caseId), ready: drawn, docs: {} },
  {
    name: "rejection",
    pathOf: ({ caseId }) => below("/reviews/", caseId),
    ready: async (page) => {
      await drawn(page);
      await page.keyboard.press("r");
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("radio").first().check();
      await drawer.getByRole("region", { name: "Preview" }).waitFor();
    },
    docs: { theme: "dark" },
  },
  { name: "orders", pathOf: at("/orders") },
  { name: "order", pathOf: ({ orderId }) => `/orders/${orderId}`, docs: {} },
  { name: "trace", pathOf: ({ orderId }) => `/orders/${orderId}/messages`, docs: {} },
  {
    name: "carrier-update",
    pathOf: ({ waitingId }) => below("/orders/", waitingId),
    ready: async (page) => {
      await page.getByRole("button", { name: "Carrier update" }).click();
      await page.getByLabel("What did the carrier say?").selectOption("date_confirmed");
    },
  },
  { name: "port-outs", pathOf: at("/port-outs?status=any"), docs: {} },
  { name: "numbers", pathOf: at("/numbers") },
  { name: "carriers", pathOf: at("/carriers") },
  { name: "accounts", pathOf: at("/accounts") },
  { name: "account", pathOf: ({ accountId }) => `/accounts/${accountId}` },
  { name: "webhooks", pathOf: at("/webhooks") },
  { name: "dead-letters", pathOf: at("/dead-letters") },
  { name: "health", pathOf: at("/health"), docs: { theme: "dark" } },
  { name: "team", pathOf: at("/team"), docs: {} },
  { name: "audit", pathOf: at("/audit") },
  { name: "operators", pathOf: at("/operators") },
];

export const PORTAL_SCREENS: readonly Screen[] = [
  { name: "portal-orders", pathOf: at("/portal/orders") },
  {
    name: "portal-order",
    pathOf: ({ rejectedId, draftId }) => below("/portal/orders/", rejectedId ?? draftId),
    docs: {},
  },
  { name: "portal-deliveries", pathOf: at("/portal/deliveries") },
  {
    name: "portal-delivery",
    pathOf: ({ deliveryId }) => below("/portal/deliveries/", deliveryId),
  },
  { name: "portal-endpoints", pathOf: at("/portal/endpoints") },
  {
    name: "portal-endpoint",
    pathOf: ({ endpointId }) => below("/portal/endpoints/", endpointId),
  },
  {
    name: "portal-end-user",
    pathOf: ({ draftId }) => (draftId === null ? null : ""),
    orderId: ({ draftId }) => draftId,
    docs: { size: "narrow" },
  },
];
