import { Messaging1700000000201 } from "./0201-messaging.ts";
import { Accounts1700000000202 } from "./0202-accounts.ts";
import { Orders1700000000203 } from "./0203-orders.ts";
import { Reviews1700000000204 } from "./0204-reviews.ts";
import { Carriers1700000000205 } from "./0205-carriers.ts";
import { Webhooks1700000000206 } from "./0206-webhooks.ts";
import { Events1700000000207 } from "./0207-events.ts";
import { Analytics1700000000208 } from "./0208-analytics.ts";
import { CopiesOfTheReleaseBefore1700000000209 } from "./0209-copies-of-0.3.ts";
import { Notices1700000000210 } from "./0210-notices.ts";
import { PortalBranding1700000000211 } from "./0211-portal-branding.ts";
import { SavedViews1700000000212 } from "./0212-saved-views.ts";
import { DeliveryFailures1700000000213 } from "./0213-delivery-failures.ts";
import { DeskAlerts1700000000214 } from "./0214-desk-alerts.ts";
import { NumberValues1700000000215 } from "./0215-number-values.ts";
import { OrderChanges1700000000216 } from "./0216-order-changes.ts";
import { NumbersBothWays1700000000217 } from "./0217-numbers-both-ways.ts";
import { Uploads1700000000218 } from "./0218-uploads.ts";
import { LeftAgainstRejections1700000000219 } from "./0219-left-against-rejections.ts";
import { RequirementGroups1700000000220 } from "./0220-requirement-groups.ts";
import { CommentsOnPortOuts1700000000221 } from "./0221-comments-on-port-outs.ts";
import { NumberDefaults1700000000222 } from "./0222-number-defaults.ts";

/** What every database has; one of 0.3 is brought to it, and takes it for run (from-0.3/take-over.ts). */
export const BASE = [
  Messaging1700000000201,
  Accounts1700000000202,
  Orders1700000000203,
  Reviews1700000000204,
  Carriers1700000000205,
  Webhooks1700000000206,
  Events1700000000207,
  Analytics1700000000208,
  CopiesOfTheReleaseBefore1700000000209,
];

/** In the order in which they run. */
export const ALL_MIGRATIONS = [
  ...BASE,
  Notices1700000000210,
  PortalBranding1700000000211,
  SavedViews1700000000212,
  DeliveryFailures1700000000213,
  DeskAlerts1700000000214,
  NumberValues1700000000215,
  OrderChanges1700000000216,
  NumbersBothWays1700000000217,
  Uploads1700000000218,
  LeftAgainstRejections1700000000219,
  RequirementGroups1700000000220,
  CommentsOnPortOuts1700000000221,
  NumberDefaults1700000000222,
];
