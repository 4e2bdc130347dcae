import { describeApi, type ApiDescription } from "../platform/openapi/describe-api.ts";
import { SESSION_COOKIE } from "./access/desk-access.ts";
import type { DeskRoute } from "./access/desk-routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { deadLetterRoutes } from "./dead-letters/routes.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { documentRoutes } from "./documents/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { noteRoutes } from "./notes/routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { operatorRoutes } from "./operators/routes.ts";
import { carrierUpdateRoutes } from "./orders/carrier-update-routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { providerRoutes } from "./providers/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { sandboxCallRoutes, sandboxCommentRoutes, sandboxPortOutRoutes } from "./sandbox/routes.ts";
import { sessionRoutes } from "./session/routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";
import { streamRoutes } from "./stream/routes.ts";
import { textRoutes } from "./texts/routes.ts";
import { viewRoutes } from "./views/routes.ts";
import { deliveryRoutes, endpointRoutes } from "./webhooks/routes.ts";

/** Every route of the desk, in the order of its OpenAPI document. */
export function deskRoutes(deps: DeskDeps): DeskRoute[] {
  return [
    ...sessionRoutes(deps),
    ...streamRoutes(deps),
    ...operatorRoutes(deps),
    ...accountRoutes(deps),
    ...auditRoutes(),
    ...reviewRoutes(deps),
    ...documentRoutes(deps),
    ...orderRoutes(deps),
    ...noteRoutes(deps),
    ...alertRoutes(deps),
    ...carrierUpdateRoutes(deps),
    ...numberRoutes(deps),
    ...portOutRoutes(deps),
    ...providerRoutes(deps),
    ...deliveryRoutes(deps),
    ...endpointRoutes(deps),
    ...deadLetterRoutes(deps),
    ...healthRoutes(deps),
    ...statisticsRoutes(deps),
    ...viewRoutes(deps),
    ...textRoutes(deps),
  ];
}

/** Routes by which operators play carriers and calls. */
export function sandboxRoutes(deps: DeskDeps): DeskRoute[] {
  return [...sandboxPortOutRoutes(deps), ...sandboxCallRoutes(deps), ...sandboxCommentRoutes(deps)];
}

/** The general part of the desk's OpenAPI document. */
export const DESK_DESCRIPTION: ApiDescription = {
  title: "Number Porting Desk",
  version: "1.0.0",
  description: `The API for operators: accounts, the review of orders, and the status updates of carriers by mail or phone.

Every operator is a named person with a role; the audit log keeps every action with its operator. A program sends a token
with each request; a browser exchanges it for a session (\`POST /desk/v1/session\`), by whose cookie a POST, PATCH or DELETE
needs the desk's own \`Origin\` and the header \`Desk-CSRF\`. Conventions are those of the
customer API: pages, \`Idempotency-Key\`, \`application/problem+json\`.`,
  contact: "The operators of the platform",
  sections: [
    {
      name: "Operators",
      description:
        "Who works at the desk: signing in and out, operators, their roles, tokens and saved views.",
      paths: [
        "/desk/v1/session",
        "/desk/v1/me",
        "/desk/v1/stream",
        "/desk/v1/operators",
        "/desk/v1/views",
        "/desk/v1/alerts",
      ],
    },
    { name: "Accounts", description: "The customers' accounts.", paths: ["/desk/v1/accounts"] },
    {
      name: "Reviews",
      description: "Open review cases and the decisions on them.",
      paths: [
        "/desk/v1/reviews",
        "/desk/v1/reviewers",
        "/desk/v1/rejection_reasons",
        "/desk/v1/rejection_texts",
        "/desk/v1/documents",
      ],
    },
    {
      name: "Orders",
      description: "The orders of all accounts.",
      paths: ["/desk/v1/orders"],
    },
    {
      name: "Numbers",
      description: "The numbers and port-outs of all accounts.",
      paths: ["/desk/v1/numbers", "/desk/v1/port_outs"],
    },
    {
      name: "Carriers",
      description: "The losing carriers and the providers that port from them.",
      paths: ["/desk/v1/providers", "/desk/v1/carriers"],
    },
    {
      name: "Webhooks",
      description: "The webhook endpoints of all accounts and what was sent to them.",
      paths: ["/desk/v1/webhook_endpoints", "/desk/v1/deliveries"],
    },
    {
      name: "Operations",
      description: "Audit log, dead letters, the service's health and the desk's statistics.",
      paths: ["/desk/v1/audit", "/desk/v1/dead_letters", "/desk/v1/health", "/desk/v1/statistics"],
    },
    {
      name: "Sandbox",
      description: "Actions of a simulated carrier, for tests.",
      paths: ["/desk/v1/sandbox"],
    },
  ],
  key: "An operator's token, `nps_desk_…`, issued by `npm run operators` or by an admin.",
  cookie: {
    name: SESSION_COOKIE,
    description:
      "A session of the console. A POST, PATCH or DELETE by it needs the desk's own `Origin` and the header `Desk-CSRF`.",
  },
  credential: "token",
  protected: ["forbidden"],
  limited: false,
};

/** Routes take what they need apart when they are defined, and use it only when they are called. */
const UNUSED = { bus: {}, live: {} } as unknown as DeskDeps;

/** The OpenAPI document of the desk's routes; it has no health or documentation routes. */
export function deskDocument(): object {
  return describeApi([...deskRoutes(UNUSED), ...sandboxRoutes(UNUSED)], DESK_DESCRIPTION, "");
}
