import type { Context } from "koa";
import { z } from "zod";
import { fewPerAddress } from "../http/routing/few-per-address.ts";
import type { Reply } from "../http/routing/reply.ts";
import { routesFor, type Route } from "../http/routing/route.ts";
import { describeApi, type ApiDescription, type ServedDocument } from "./describe-api.ts";

/** A megabyte each where a client takes it uncompressed. */
const DOCUMENTS_PER_MINUTE = 60;
/** Of the documents beside it, which are small. */
const OTHERS_PER_MINUTE = 240;

/** Counts a request by its address. @throws `rate_limited` above so many a minute */
type Count = (ctx: Context) => void;

function countOf(perMinute: number, { limitsAddresses = true }: ApiDescription): Count {
  if (!limitsAddresses) return () => undefined;
  const count = fewPerAddress(perMinute);
  return (ctx) => count(ctx.req.socket.remoteAddress ?? "");
}

const openApiAnswer = z
  .looseObject({
    openapi: z
      .string()
      .meta({ description: "The version of the OpenAPI specification", examples: ["3.1.0"] }),
  })
  .meta({ id: "OpenApiDocument", description: "An OpenAPI document" });

/**
 * `/openapi.json`, which describes all `others` and itself, and the description's documents, which are not operations of
 * the API.
 */
export function docRoutes<P>(
  others: readonly Route<P>[],
  description: ApiDescription,
  publicUrl: string,
): Route<P>[] {
  const countOther = countOf(OTHERS_PER_MINUTE, description);
  const documents = description.documents ?? [];
  let document: Buffer | null = null;
  const count = countOf(DOCUMENTS_PER_MINUTE, description);
  const { GET } = routesFor<P, "public">("public");
  const self: Route<P> = GET("/openapi.json", "Get this API description", {
    operationId: "getOpenApiDocument",
    description: "The document that you are reading: OpenAPI 3.1, for programs and generators.",
    quiet: true,
    answers: { 200: openApiAnswer },
    handle: ({ ctx }): Reply => {
      count(ctx);
      document ??= Buffer.from(
        JSON.stringify(describeApi([...others, self], description, publicUrl)),
      );
      const raw = { type: "application/json", content: document, isConstant: true };
      return { status: 200, raw };
    },
  });
  return [self, ...documents.map((one) => documentRoute<P>(one, countOther))];
}

function documentRoute<P>({ path, content }: ServedDocument, count: Count): Route<P> {
  const type = "application/json";
  let made: Buffer | null = null;
  const handle = ({ ctx }: { readonly ctx: Context }): Reply => {
    count(ctx);
    made ??= Buffer.from(JSON.stringify(content()));
    return {
      status: 200,
      headers: { "Cache-Control": "public, max-age=300" },
      raw: { type: `${type}; charset=utf-8`, content: made, isConstant: true },
    };
  };
  const answers = { 200: { mediaTypes: [type] } };
  const { GET } = routesFor<P, "public">("public");
  return GET(path, "A document beside the API", { quiet: true, produces: "*/*", answers, handle });
}
