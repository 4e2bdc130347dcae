import type { ApiDescription } from "../platform/openapi/describe-api.ts";

/** What the OpenAPI document of the desk says of it as a whole. */
export const DESK_DESCRIPTION: ApiDescription = {
  title: "Number Porting Desk",
  version: "1.0.0",
  description: `The operators' side: accounts, the review of orders, and what carriers say by mail or phone.

Every operator is a named person; every action is kept with its operator in an audit log. Conventions are those of the
customers' API: pages, \`Idempotency-Key\`, \`application/problem+json\`.`,
  sections: [
    { name: "Operators", description: "Who I am.", paths: ["/desk/v1/me", "/desk/v1/stream"] },
    { name: "Accounts", description: "Customers.", paths: ["/desk/v1/accounts"] },
    {
      name: "Reviews",
      description: "Open cases, and the decisions on them.",
      paths: ["/desk/v1/reviews", "/desk/v1/documents"],
    },
    {
      name: "Orders",
      description: "Any account's orders.",
      paths: ["/desk/v1/orders"],
    },
    {
      name: "Numbers",
      description: "Any account's numbers and port-outs.",
      paths: ["/desk/v1/numbers", "/desk/v1/port_outs"],
    },
    {
      name: "Operations",
      description: "What was done, what is stuck, how the service is.",
      paths: ["/desk/v1/audit", "/desk/v1/dead_letters", "/desk/v1/health"],
    },
    {
      name: "Sandbox",
      description: "What a carrier would say, for trying things out.",
      paths: ["/desk/v1/sandbox"],
    },
  ],
  key: "An operator's token, `nps_desk_…`, issued by `npm run operators`.",
  protected: [],
  limited: false,
};
