import { Messaging1700000000001 } from "./0001-messaging.ts";
import { Accounts1700000000002 } from "./0002-accounts.ts";
import { Orders1700000000003 } from "./0003-orders.ts";
import { Reviews1700000000004 } from "./0004-reviews.ts";
import { Carriers1700000000005 } from "./0005-carriers.ts";
import { Webhooks1700000000006 } from "./0006-webhooks.ts";
import { Events1700000000007 } from "./0007-events.ts";
import { Documents1700000000008 } from "./0008-documents.ts";
import { RequirementRows1700000000009 } from "./0009-requirement-rows.ts";
import { DocumentChecks1700000000010 } from "./0010-document-checks.ts";
import { Waits1700000000011 } from "./0011-waits.ts";
import { PortOuts1700000000012 } from "./0012-port-outs.ts";
import { SandboxPortOuts1700000000013 } from "./0013-sandbox-port-outs.ts";
import { DeskHealth1700000000014 } from "./0014-desk-health.ts";
import { EndpointFailures1700000000015 } from "./0015-endpoint-failures.ts";
import { EndpointPace1700000000016 } from "./0016-endpoint-pace.ts";
import { Recoveries1700000000017 } from "./0017-recoveries.ts";
import { DeliveryRetention1700000000018 } from "./0018-delivery-retention.ts";
import { DeliveryList1700000000019 } from "./0019-delivery-list.ts";
import { Idempotency1700000000020 } from "./0020-idempotency.ts";
import { RateLimits1700000000021 } from "./0021-rate-limits.ts";
import { OrdersByCountry1700000000022 } from "./0022-orders-by-country.ts";
import { ServiceFunctions1700000000030 } from "./0030-service-functions.ts";
import { EventDates1700000000031 } from "./0031-event-dates.ts";
import { Orphans1700000000032 } from "./0032-orphans.ts";
import { DeliveryRoom1700000000033 } from "./0033-delivery-room.ts";
import { FormerOwners1700000000034 } from "./0034-former-owners.ts";
import { DeadLetterLives1700000000038 } from "./0038-dead-letter-lives.ts";
import { InboxRetention1700000000039 } from "./0039-inbox-retention.ts";
import { RequirementProfiles1700000000040 } from "./0040-requirement-profiles.ts";
import { NumberHistory1700000000041 } from "./0041-number-history.ts";
import { OrderQuotas1700000000042 } from "./0042-order-quotas.ts";
import { ReviewDecisions1700000000046 } from "./0046-review-decisions.ts";
import { SealedMessages1700000000047 } from "./0047-sealed-messages.ts";
import { WrongPins1700000000048 } from "./0048-wrong-pins.ts";
import { AuditActors1700000000049 } from "./0049-audit-actors.ts";
import { OrderFilters1700000000053 } from "./0053-order-filters.ts";
import { ClosedReasons1700000000055 } from "./0055-closed-reasons.ts";
import { InternalEntries1700000000056 } from "./0056-internal-entries.ts";
import { CaseDueTimes1700000000057 } from "./0057-case-due-times.ts";
import { UpdatePlaces1700000000058 } from "./0058-update-places.ts";
import { EventContext1700000000061 } from "./0061-event-context.ts";
import { Analytics1700000000062 } from "./0062-analytics.ts";
import { AccountSecretOverlap1700000000064 } from "./0064-account-secret-overlap.ts";
import { CarrierRetention1700000000065 } from "./0065-carrier-retention.ts";
import { CountedFailures1700000000066 } from "./0066-counted-failures.ts";
import { PortOutsByDeadline1700000000067 } from "./0067-port-outs-by-deadline.ts";
import { OperatorRoles1700000000070 } from "./0070-operator-roles.ts";
import { OperatorSessions1700000000071 } from "./0071-operator-sessions.ts";
import { AuditByAction1700000000072 } from "./0072-audit-by-action.ts";
import { CaseWork1700000000073 } from "./0073-case-work.ts";
import { DocumentReadings1700000000075 } from "./0075-document-readings.ts";
import { DocumentScans1700000000076 } from "./0076-document-scans.ts";
import { DeskOrderSearch1700000000077 } from "./0077-desk-order-search.ts";
import { OrderTrace1700000000078 } from "./0078-order-trace.ts";
import { WebhookSupport1700000000079 } from "./0079-webhook-support.ts";
import { CaseChanges1700000000080 } from "./0080-case-changes.ts";
import { HealthSamples1700000000081 } from "./0081-health-samples.ts";
import { PortalSessions1700000000082 } from "./0082-portal-sessions.ts";
import { OrdersByCarrier1700000000083 } from "./0083-orders-by-carrier.ts";
import { OrdersUnderReview1700000000084 } from "./0084-orders-under-review.ts";
import { MigrationChecksums1700000000085 } from "./0085-migration-checksums.ts";
import { RepairedMigrations1700000000086 } from "./0086-repaired-migrations.ts";
import { SchemaIds1700000000087 } from "./0087-schema-ids.ts";
import { KeptTraces1700000000088 } from "./0088-kept-traces.ts";
import { WaitingOfActiveAccounts1700000000089 } from "./0089-waiting-of-active-accounts.ts";
import { PrimaryMark1700000000090 } from "./0090-primary-mark.ts";
import { LetterTexts1700000000093 } from "./0093-letter-texts.ts";
import { LeanDeliveryIndexes1700000000095 } from "./0095-lean-delivery-indexes.ts";
import { UnsentMessages1700000000096 } from "./0096-unsent-messages.ts";
import { UnsentMessagesFound1700000000097 } from "./0097-unsent-messages-found.ts";
import { BegunDeliveries1700000000098 } from "./0098-begun-deliveries.ts";
import { PortDatesSaid1700000000099 } from "./0099-port-dates-said.ts";
import { GeneratedKeys1700000000100 } from "./0100-generated-keys.ts";
import { OrdersOfDeadLetters1700000000101 } from "./0101-orders-of-dead-letters.ts";
import { DeadLettersNoted1700000000102 } from "./0102-dead-letters-noted.ts";
import { PinsCompared1700000000103 } from "./0103-pins-compared.ts";
import { UnsentAgain1700000000104 } from "./0104-unsent-again.ts";
import { OldestUnsent1700000000105 } from "./0105-oldest-unsent.ts";
import { ReadAttempts1700000000110 } from "./0110-read-attempts.ts";
import { OrdersOfPortOuts1700000000112 } from "./0112-orders-of-port-outs.ts";
import { ComparableUrls1700000000113 } from "./0113-comparable-urls.ts";
import { GrowthBounds1700000000118 } from "./0118-growth-bounds.ts";
import { KnownSchemas1700000000119 } from "./0119-known-schemas.ts";
import { OutboxFromTheLog1700000000120 } from "./0120-outbox-from-the-log.ts";
import { DeliveriesInOrder1700000000121 } from "./0121-deliveries-in-order.ts";

/** In the order in which they run. */
export const ALL_MIGRATIONS = [
  Messaging1700000000001,
  Accounts1700000000002,
  Orders1700000000003,
  Reviews1700000000004,
  Carriers1700000000005,
  Webhooks1700000000006,
  Events1700000000007,
  Documents1700000000008,
  RequirementRows1700000000009,
  DocumentChecks1700000000010,
  Waits1700000000011,
  PortOuts1700000000012,
  SandboxPortOuts1700000000013,
  DeskHealth1700000000014,
  EndpointFailures1700000000015,
  EndpointPace1700000000016,
  Recoveries1700000000017,
  DeliveryRetention1700000000018,
  DeliveryList1700000000019,
  Idempotency1700000000020,
  RateLimits1700000000021,
  OrdersByCountry1700000000022,
  ServiceFunctions1700000000030,
  EventDates1700000000031,
  Orphans1700000000032,
  DeliveryRoom1700000000033,
  FormerOwners1700000000034,
  DeadLetterLives1700000000038,
  InboxRetention1700000000039,
  RequirementProfiles1700000000040,
  NumberHistory1700000000041,
  OrderQuotas1700000000042,
  ReviewDecisions1700000000046,
  SealedMessages1700000000047,
  WrongPins1700000000048,
  AuditActors1700000000049,
  OrderFilters1700000000053,
  ClosedReasons1700000000055,
  InternalEntries1700000000056,
  CaseDueTimes1700000000057,
  UpdatePlaces1700000000058,
  EventContext1700000000061,
  Analytics1700000000062,
  AccountSecretOverlap1700000000064,
  CarrierRetention1700000000065,
  CountedFailures1700000000066,
  PortOutsByDeadline1700000000067,
  OperatorRoles1700000000070,
  OperatorSessions1700000000071,
  AuditByAction1700000000072,
  CaseWork1700000000073,
  DocumentReadings1700000000075,
  DocumentScans1700000000076,
  DeskOrderSearch1700000000077,
  OrderTrace1700000000078,
  WebhookSupport1700000000079,
  CaseChanges1700000000080,
  HealthSamples1700000000081,
  PortalSessions1700000000082,
  OrdersByCarrier1700000000083,
  OrdersUnderReview1700000000084,
  MigrationChecksums1700000000085,
  RepairedMigrations1700000000086,
  SchemaIds1700000000087,
  KeptTraces1700000000088,
  WaitingOfActiveAccounts1700000000089,
  PrimaryMark1700000000090,
  LetterTexts1700000000093,
  LeanDeliveryIndexes1700000000095,
  UnsentMessages1700000000096,
  UnsentMessagesFound1700000000097,
  BegunDeliveries1700000000098,
  PortDatesSaid1700000000099,
  GeneratedKeys1700000000100,
  OrdersOfDeadLetters1700000000101,
  DeadLettersNoted1700000000102,
  PinsCompared1700000000103,
  UnsentAgain1700000000104,
  OldestUnsent1700000000105,
  ReadAttempts1700000000110,
  OrdersOfPortOuts1700000000112,
  ComparableUrls1700000000113,
  GrowthBounds1700000000118,
  KnownSchemas1700000000119,
  OutboxFromTheLog1700000000120,
  DeliveriesInOrder1700000000121,
];
