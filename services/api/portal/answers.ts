import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

const portalSession = z.object({
  id: idText("The session's id"),
  order_id: idText("The only order that the link opens; null for the whole account").nullable(),
  created_at: timeText("When the link was made"),
  expires_at: timeText("When the link and what it opened end"),
  opened_at: timeText("When the link was first opened").nullable(),
  ended_at: timeText("When the session was ended before it expired").nullable(),
});

/** A portal session (docs/contract/customer-api.md, Portal). */
export const portalSessionAnswer = portalSession.meta({
  id: "PortalSession",
  description: "A link into the customers' portal",
});

/** A new session with its link. */
export const newPortalSessionAnswer = portalSession
  .extend({
    url: z.string().meta({
      description: "The link, shown once; a person opens it in a browser",
      examples: [`https://api.example.com/portal/open#nps_link_${"0".repeat(38)}`],
    }),
  })
  .meta({ id: "PortalSessionWithLink", description: "A new portal session, with its link" });

/** What the portal's page is shown of its session. */
export const openSessionAnswer = z
  .object({
    account_name: z
      .string()
      .nullable()
      .meta({ description: "The account's name; null by a link to an order", examples: [null] }),
    order_id: idText("The only order that is shown; null for the whole account").nullable(),
    expires_at: timeText("When the cookie expires"),
    csrf: z.string().meta({
      description: "For the header `Portal-CSRF` of every command by this cookie",
      examples: ["47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"],
    }),
  })
  .meta({ id: "OpenPortalSession", description: "The session of a browser in the portal" });
