// Made from the API's OpenAPI document by `npm run client`; do not edit.

import type { Caller, CallOptions, Paged } from "../caller.ts";
import type * as Api from "./api-types.ts";

/** A method for each operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Issue a key. */
  createApiKey(body: Api.CreateApiKeyRequest = {}, options?: CallOptions): Promise<Api.ApiKeyWithSecret> {
    return this.caller.json({ method: "POST", path: "/v2/api_keys", body }, options);
  }

  /** List the keys, including revoked ones. */
  listApiKeys(query: Api.ListApiKeysQuery = {}, options?: CallOptions): Paged<Api.ApiKey> {
    return this.caller.list({ method: "GET", path: "/v2/api_keys", query }, options);
  }

  /** Revoke a key. */
  deleteApiKey(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/api_keys/${encodeURIComponent(id)}` }, options);
  }

  /** Create orders, one per country, number type and losing carrier. */
  createPortingOrder(body: Api.CreatePortingOrderRequest, options?: CallOptions): Promise<Api.NewPortingOrders> {
    return this.caller.json({ method: "POST", path: "/v2/porting_orders", body }, options);
  }

  /** List the orders. */
  listPortingOrders(query: Api.ListPortingOrdersQuery = {}, options?: CallOptions): Paged<Api.ListedPortingOrder> {
    return this.caller.list({ method: "GET", path: "/v2/porting_orders", query }, options);
  }

  /** Read an order. */
  getPortingOrder(id: string, options?: CallOptions): Promise<Api.PortingOrder> {
    return this.caller.json({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}` }, options);
  }

  /** Change an order. */
  updatePortingOrder(id: string, body: Api.UpdatePortingOrderRequest = {}, options?: CallOptions): Promise<Api.PortingOrder> {
    return this.caller.json({ method: "PATCH", path: `/v2/porting_orders/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a draft that was never submitted. */
  deletePortingOrder(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/porting_orders/${encodeURIComponent(id)}` }, options);
  }

  /** Read what blocks an order from being submitted. */
  getPortingOrderReadiness(id: string, options?: CallOptions): Promise<Api.Readiness> {
    return this.caller.json({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/readiness` }, options);
  }

  /** List when an order's numbers can be moved. */
  listAllowedFocWindows(id: string, query: Api.ListAllowedFocWindowsQuery = {}, options?: CallOptions): Promise<Api.FocWindowList> {
    return this.caller.json({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/allowed_foc_windows`, query }, options);
  }

  /** Cancel an order. */
  cancelPortingOrder(id: string, body: Api.CancelPortingOrderRequest = {}, options?: CallOptions): Promise<Api.PortingOrder> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/cancel`, body }, options);
  }

  /** Submit an order for review. */
  submitPortingOrder(id: string, options?: CallOptions): Promise<Api.PortingOrder> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/submit` }, options);
  }

  /** Ask the losing carrier for a change of an order that it has. */
  createPortingOrderChange(id: string, body: Api.CreatePortingOrderChangeRequest, options?: CallOptions): Promise<Api.PortingOrderChange> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/changes`, body }, options);
  }

  /** List the changes that an order's carrier was asked for. */
  listPortingOrderChanges(id: string, options?: CallOptions): Promise<Api.PortingOrderChangeList> {
    return this.caller.json({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/changes` }, options);
  }

  /** Read a change of an order. */
  getPortingOrderChange(id: string, changeId: string, options?: CallOptions): Promise<Api.PortingOrderChange> {
    return this.caller.json({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/changes/${encodeURIComponent(changeId)}` }, options);
  }

  /** Withdraw a pending change. */
  withdrawPortingOrderChange(id: string, changeId: string, options?: CallOptions): Promise<Api.PortingOrderChange> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/changes/${encodeURIComponent(changeId)}/withdraw` }, options);
  }

  /** Submit the orders of a batch. */
  submitPortingBatch(batchId: string, options?: CallOptions): Promise<Api.BatchResults> {
    return this.caller.json({ method: "POST", path: `/v2/porting_batches/${encodeURIComponent(batchId)}/submit` }, options);
  }

  /** Cancel the orders of a batch. */
  cancelPortingBatch(batchId: string, body: Api.CancelPortingBatchRequest = {}, options?: CallOptions): Promise<Api.BatchResults> {
    return this.caller.json({ method: "POST", path: `/v2/porting_batches/${encodeURIComponent(batchId)}/cancel`, body }, options);
  }

  /** Give the orders of a batch what they ask for. */
  fulfilPortingBatch(batchId: string, body: Api.FulfilPortingBatchRequest, options?: CallOptions): Promise<Api.BatchResults> {
    return this.caller.json({ method: "POST", path: `/v2/porting_batches/${encodeURIComponent(batchId)}/requirements`, body }, options);
  }

  /** Set a requirement's value or document. */
  updatePortingOrderRequirement(id: string, slug: string, body: Api.UpdatePortingOrderRequirementRequest | Api.UpdatePortingOrderRequirementForm, options?: CallOptions): Promise<Api.Requirement> {
    return this.caller.json({ method: "PATCH", path: `/v2/porting_orders/${encodeURIComponent(id)}/requirements/${encodeURIComponent(slug)}`, body }, options);
  }

  /** Clear an optional requirement. */
  deletePortingOrderRequirement(id: string, slug: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/porting_orders/${encodeURIComponent(id)}/requirements/${encodeURIComponent(slug)}` }, options);
  }

  /** List the requirements for a country and number type. */
  listPortingRequirements(query: Api.ListPortingRequirementsQuery, options?: CallOptions): Promise<Api.RequirementDefinitionList> {
    return this.caller.json({ method: "GET", path: "/v2/porting_requirements", query }, options);
  }

  /** Save a holder for the next orders. */
  createRequirementGroup(body: Api.CreateRequirementGroupRequest, options?: CallOptions): Promise<Api.RequirementGroup> {
    return this.caller.json({ method: "POST", path: "/v2/requirement_groups", body }, options);
  }

  /** List the saved holders. */
  listRequirementGroups(query: Api.ListRequirementGroupsQuery = {}, options?: CallOptions): Paged<Api.RequirementGroup> {
    return this.caller.list({ method: "GET", path: "/v2/requirement_groups", query }, options);
  }

  /** Read a saved holder. */
  getRequirementGroup(id: string, options?: CallOptions): Promise<Api.RequirementGroup> {
    return this.caller.json({ method: "GET", path: `/v2/requirement_groups/${encodeURIComponent(id)}` }, options);
  }

  /** Change a saved holder. */
  updateRequirementGroup(id: string, body: Api.UpdateRequirementGroupRequest = {}, options?: CallOptions): Promise<Api.RequirementGroup> {
    return this.caller.json({ method: "PATCH", path: `/v2/requirement_groups/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a saved holder. */
  deleteRequirementGroup(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/requirement_groups/${encodeURIComponent(id)}` }, options);
  }

  /** Read the letter of authorization: the signed one, or a preview. */
  getLoa(id: string, query: Api.GetLoaQuery = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.caller.bytes({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/loa`, query }, options);
  }

  /** Sign the letter of authorization. */
  signLoa(id: string, body: Api.SignLoaRequest, options?: CallOptions): Promise<Api.SignedLoa> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/loa/sign`, body }, options);
  }

  /** Upload a document for any order of the account. */
  uploadDocument(body: Api.UploadDocumentForm, options?: CallOptions): Promise<Api.UploadedDocument> {
    return this.caller.json({ method: "POST", path: "/v2/documents", body }, options);
  }

  /** Download a document. */
  getDocument(id: string, query: Api.GetDocumentQuery = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.caller.bytes({ method: "GET", path: `/v2/documents/${encodeURIComponent(id)}`, query }, options);
  }

  /** List an order's comments. */
  listPortingOrderComments(id: string, query: Api.ListPortingOrderCommentsQuery = {}, options?: CallOptions): Paged<Api.Comment> {
    return this.caller.list({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/comments`, query }, options);
  }

  /** Comment on an order. */
  createPortingOrderComment(id: string, body: Api.CreatePortingOrderCommentRequest, options?: CallOptions): Promise<Api.Comment> {
    return this.caller.json({ method: "POST", path: `/v2/porting_orders/${encodeURIComponent(id)}/comments`, body }, options);
  }

  /** List the timeline of an order. */
  listPortingOrderTimeline(id: string, query: Api.ListPortingOrderTimelineQuery = {}, options?: CallOptions): Paged<Api.TimelineEntry> {
    return this.caller.list({ method: "GET", path: `/v2/porting_orders/${encodeURIComponent(id)}/timeline`, query }, options);
  }

  /** List the exception codes. */
  listPortingExceptions(options?: CallOptions): Promise<Api.PortingExceptionList> {
    return this.caller.json({ method: "GET", path: "/v2/porting_exceptions" }, options);
  }

  /** Set a number's forwarding, lock, PIN, tags or references. */
  updateNumber(phoneNumber: string, body: Api.UpdateNumberRequest = {}, options?: CallOptions): Promise<Api.Number> {
    return this.caller.json({ method: "PATCH", path: `/v2/numbers/${encodeURIComponent(phoneNumber)}`, body }, options);
  }

  /** Read a number. */
  getNumber(phoneNumber: string, options?: CallOptions): Promise<Api.Number> {
    return this.caller.json({ method: "GET", path: `/v2/numbers/${encodeURIComponent(phoneNumber)}` }, options);
  }

  /** List the numbers on the platform. */
  listNumbers(query: Api.ListNumbersQuery = {}, options?: CallOptions): Paged<Api.Number> {
    return this.caller.list({ method: "GET", path: "/v2/numbers", query }, options);
  }

  /** Read how the numbers of the next orders are set. */
  getNumberDefaults(options?: CallOptions): Promise<Api.NumberDefaults> {
    return this.caller.json({ method: "GET", path: "/v2/number_defaults" }, options);
  }

  /** Set forwarding and lock of the numbers of the next orders. */
  updateNumberDefaults(body: Api.UpdateNumberDefaultsRequest = {}, options?: CallOptions): Promise<Api.NumberDefaults> {
    return this.caller.json({ method: "PATCH", path: "/v2/number_defaults", body }, options);
  }

  /** List the port-outs. */
  listPortOuts(query: Api.ListPortOutsQuery = {}, options?: CallOptions): Paged<Api.PortOut> {
    return this.caller.list({ method: "GET", path: "/v2/port_outs", query }, options);
  }

  /** Read a port-out. */
  getPortOut(id: string, options?: CallOptions): Promise<Api.PortOut> {
    return this.caller.json({ method: "GET", path: `/v2/port_outs/${encodeURIComponent(id)}` }, options);
  }

  /** List the codes for rejecting a port-out. */
  listPortOutRejectionCodes(id: string, options?: CallOptions): Promise<Api.PortOutRejectionCodeList> {
    return this.caller.json({ method: "GET", path: `/v2/port_outs/${encodeURIComponent(id)}/rejection_codes` }, options);
  }

  /** Approve a port-out. */
  approvePortOut(id: string, options?: CallOptions): Promise<Api.PortOut> {
    return this.caller.json({ method: "POST", path: `/v2/port_outs/${encodeURIComponent(id)}/approve` }, options);
  }

  /** Reject a port-out. */
  rejectPortOut(id: string, body: Api.RejectPortOutRequest, options?: CallOptions): Promise<Api.PortOut> {
    return this.caller.json({ method: "POST", path: `/v2/port_outs/${encodeURIComponent(id)}/reject`, body }, options);
  }

  /** List a port-out's comments. */
  listPortOutComments(id: string, query: Api.ListPortOutCommentsQuery = {}, options?: CallOptions): Paged<Api.Comment> {
    return this.caller.list({ method: "GET", path: `/v2/port_outs/${encodeURIComponent(id)}/comments`, query }, options);
  }

  /** Comment on a port-out. */
  createPortOutComment(id: string, body: Api.CreatePortOutCommentRequest, options?: CallOptions): Promise<Api.Comment> {
    return this.caller.json({ method: "POST", path: `/v2/port_outs/${encodeURIComponent(id)}/comments`, body }, options);
  }

  /** Check whether numbers can be ordered now. */
  checkPortability(body: Api.CheckPortabilityRequest, options?: CallOptions): Promise<Api.PortabilityChecks> {
    return this.caller.json({ method: "POST", path: "/v2/portability_checks", body }, options);
  }

  /** List events, or continue after one. */
  listPortingEvents(query: Api.ListPortingEventsQuery = {}, options?: CallOptions): Paged<Api.Event> {
    return this.caller.list({ method: "GET", path: "/v2/porting/events", query }, options);
  }

  /** Read an event. */
  getPortingEvent(eventId: string, options?: CallOptions): Promise<Api.Event> {
    return this.caller.json({ method: "GET", path: `/v2/porting/events/${encodeURIComponent(eventId)}` }, options);
  }

  /** Create a webhook endpoint. */
  createWebhookEndpoint(body: Api.CreateWebhookEndpointRequest, options?: CallOptions): Promise<Api.WebhookEndpointWithSecret> {
    return this.caller.json({ method: "POST", path: "/v2/webhook_endpoints", body }, options);
  }

  /** List the webhook endpoints. */
  listWebhookEndpoints(query: Api.ListWebhookEndpointsQuery = {}, options?: CallOptions): Paged<Api.WebhookEndpoint> {
    return this.caller.list({ method: "GET", path: "/v2/webhook_endpoints", query }, options);
  }

  /** Read a webhook endpoint. */
  getWebhookEndpoint(id: string, options?: CallOptions): Promise<Api.WebhookEndpoint> {
    return this.caller.json({ method: "GET", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}` }, options);
  }

  /** Change, pause or resume a webhook endpoint. */
  updateWebhookEndpoint(id: string, body: Api.UpdateWebhookEndpointRequest = {}, options?: CallOptions): Promise<Api.WebhookEndpoint> {
    return this.caller.json({ method: "PATCH", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a webhook endpoint. */
  deleteWebhookEndpoint(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}` }, options);
  }

  /** Rotate an endpoint's signing secret. */
  rotateWebhookEndpointSecret(id: string, body: Api.RotateWebhookEndpointSecretRequest = {}, options?: CallOptions): Promise<Api.RotatedEndpointSecret> {
    return this.caller.json({ method: "POST", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}/rotate_secret`, body }, options);
  }

  /** Send a sample event to an endpoint. */
  testWebhookEndpoint(id: string, body: Api.TestWebhookEndpointRequest = {}, options?: CallOptions): Promise<Api.WebhookDelivery> {
    return this.caller.json({ method: "POST", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}/test`, body }, options);
  }

  /** Rotate the account's signing secret for orders' own webhook_url. */
  rotateWebhookSigningSecret(body: Api.RotateWebhookSigningSecretRequest = {}, options?: CallOptions): Promise<Api.RotatedAccountSecret> {
    return this.caller.json({ method: "POST", path: "/v2/webhook_signing_secret/rotate", body }, options);
  }

  /** Resend the events that an endpoint missed. */
  recoverWebhookEndpoint(id: string, body: Api.RecoverWebhookEndpointRequest, options?: CallOptions): Promise<Api.WebhookRecovery> {
    return this.caller.json({ method: "POST", path: `/v2/webhook_endpoints/${encodeURIComponent(id)}/recover`, body }, options);
  }

  /** Read the progress of a recovery. */
  getWebhookRecovery(id: string, options?: CallOptions): Promise<Api.WebhookRecovery> {
    return this.caller.json({ method: "GET", path: `/v2/webhook_recoveries/${encodeURIComponent(id)}` }, options);
  }

  /** Cancel a recovery. */
  deleteWebhookRecovery(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/webhook_recoveries/${encodeURIComponent(id)}` }, options);
  }

  /** List the deliveries. */
  listWebhookDeliveries(query: Api.ListWebhookDeliveriesQuery = {}, options?: CallOptions): Paged<Api.WebhookDelivery> {
    return this.caller.list({ method: "GET", path: "/v2/webhook_deliveries", query }, options);
  }

  /** List the names of the event types. */
  listEventTypes(options?: CallOptions): Promise<Api.EventTypeList> {
    return this.caller.json({ method: "GET", path: "/v2/webhook_deliveries/meta/event_types" }, options);
  }

  /** Read a delivery. */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<Api.WebhookDelivery> {
    return this.caller.json({ method: "GET", path: `/v2/webhook_deliveries/${encodeURIComponent(id)}` }, options);
  }

  /** Retry a delivery at once. */
  retryWebhookDelivery(id: string, options?: CallOptions): Promise<Api.WebhookDelivery> {
    return this.caller.json({ method: "POST", path: `/v2/webhook_deliveries/${encodeURIComponent(id)}/retry` }, options);
  }

  /** List an event's deliveries. */
  listPortingEventDeliveries(eventId: string, query: Api.ListPortingEventDeliveriesQuery = {}, options?: CallOptions): Paged<Api.WebhookDelivery> {
    return this.caller.list({ method: "GET", path: `/v2/porting/events/${encodeURIComponent(eventId)}/deliveries`, query }, options);
  }

  /** Send an event again to the endpoints that match it now. */
  republishPortingEvent(eventId: string, options?: CallOptions): Promise<Api.NewWebhookDeliveries> {
    return this.caller.json({ method: "POST", path: `/v2/porting/events/${encodeURIComponent(eventId)}/republish` }, options);
  }

  /** Make a link into the customers' portal. */
  createPortalSession(body: Api.CreatePortalSessionRequest = {}, options?: CallOptions): Promise<Api.PortalSessionWithLink> {
    return this.caller.json({ method: "POST", path: "/v2/portal_sessions", body }, options);
  }

  /** List the portal sessions. */
  listPortalSessions(query: Api.ListPortalSessionsQuery = {}, options?: CallOptions): Paged<Api.PortalSession> {
    return this.caller.list({ method: "GET", path: "/v2/portal_sessions", query }, options);
  }

  /** End a portal session. */
  deletePortalSession(id: string, options?: CallOptions): Promise<void> {
    return this.caller.nothing({ method: "DELETE", path: `/v2/portal_sessions/${encodeURIComponent(id)}` }, options);
  }

  /** Read what end users see of the account. */
  getPortalBranding(options?: CallOptions): Promise<Api.PortalBranding> {
    return this.caller.json({ method: "GET", path: "/v2/portal_branding" }, options);
  }

  /** Set what end users see of the account. */
  createPortalBranding(body: Api.CreatePortalBrandingRequest = {}, options?: CallOptions): Promise<Api.PortalBranding> {
    return this.caller.json({ method: "PATCH", path: "/v2/portal_branding", body }, options);
  }
}
