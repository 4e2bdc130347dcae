import { ACCOUNT_ENTITIES } from "../domain/account/store/account-entities.ts";
import type { Providers } from "../domain/carrier/rules/provider.ts";
import { watchCarriers } from "../domain/carrier/watch-carriers.ts";
import { noteInTimeline } from "../domain/order/store/note-dead-letter.ts";
import type { Bus } from "../messages/bus/bus.ts";
import { openBus } from "../messages/bus/bus.ts";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import type { TopicHandler } from "../messages/bus/topic-consumer.ts";
import { onceEach, startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import type { EntityDatabase } from "../platform/db/data-source.ts";
import { createDataSource } from "../platform/db/data-source.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { openFileStore } from "../platform/files/file-store-config.ts";
import { createReadiness } from "../platform/health.ts";
import { createHttpApp } from "../platform/http/routing/http-app.ts";
import { startHttpServer } from "../platform/http/routing/http-server.ts";
import type { DataSource } from "typeorm";
import type { RunningConsumer } from "../platform/kafka/consumer.ts";
import type { Logger } from "../platform/logger.ts";
import type { JoiningPool } from "../platform/db/joining-pool.ts";
import { startIdempotency } from "../platform/idempotency/start-idempotency.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import type { OperatorPrincipal } from "./access/operator.ts";
import { authenticateOperator } from "./access/authenticate-operator.ts";
import type { RequirementReviewConfig } from "./config.ts";
import { DESK_DESCRIPTION } from "./desk-description.ts";
import { CheckQueue } from "./document-check/check-queue.ts";
import { createWarmWorker } from "./document-check/warm-worker.ts";
import { onReviewRequest } from "./handlers/on-review-request.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { carrierUpdateRoutes } from "./orders/carrier-update-routes.ts";
import { deadLetterRoutes } from "./dead-letters/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { meRoutes } from "./operators/routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { sandboxCallRoutes } from "./sandbox/call-routes.ts";
import { sandboxCommentRoutes } from "./sandbox/comment-routes.ts";
import { sandboxPortOutRoutes } from "./sandbox/port-out-routes.ts";
import type { DeskRoute } from "./access/desk-routes.ts";

const SERVICE = "requirement-review";

export interface RequirementReviewOptions {
  readonly config: RequirementReviewConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export async function startRequirementReview(
  options: RequirementReviewOptions,
): Promise<RunningService> {
  const { config, log } = options;
  const { dataSource, pool } = await openDatabase(options);
  const bus = await openBus({ ...options, service: SERVICE, pool });
  const files = await openFileStore(config);
  const checks = new CheckQueue(bus, {
    worker: createWarmWorker(),
    files,
    giveUpMs: config.DOCUMENT_CHECK_GIVE_UP,
  });
  const consumer = await readRequests(bus, checks, config.REVIEW_DUE);
  const { metrics } = bus;
  const box = createSecretBox(parseSecretKeys(config.SECRETS_KEY));
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const idempotency = openIdempotency(bus, pool);
  const app = createHttpApp({
    routes: deskRoutes({ ...carriers, bus, box, files, dataSource, config }),
    protectedPrefix: "/desk",
    description: DESK_DESCRIPTION,
    log,
    metrics,
    readiness: createReadiness(busChecks(bus, [consumer]), log),
    authenticate: (credential) => authenticateOperator(pool, credential),
    describe: (operator) => ({ operator_id: operator.operatorId }),
    idempotency,
    ...(config.PUBLIC_DESK_URL === undefined ? {} : { publicUrl: config.PUBLIC_DESK_URL }),
  });
  const server = await startHttpServer(app, {
    host: config.LISTEN_HOST,
    port: config.DESK_PORT,
    log,
  });
  return {
    stop: async () => {
      await server.stop();
      await carriers.stop();
      await idempotency.stop();
      await consumer.stop();
      await checks.stop();
      await bus.close();
      await pool.end();
    },
  };
}

function openDatabase({ config, log }: RequirementReviewOptions): Promise<EntityDatabase> {
  return createDataSource({
    url: config.DATABASE_URL,
    role: config.DATABASE_ROLE,
    service: SERVICE,
    size: config.DATABASE_POOL_SIZE,
    log,
    entities: ACCOUNT_ENTITIES,
  });
}

/** What was queued is looked at as soon as it is committed. */
function readRequests(bus: Bus, checks: CheckQueue, dueMs: number): Promise<RunningConsumer> {
  const each = onceEach(bus, SERVICE, onReviewRequest(dueMs));
  const requests: TopicHandler<"porting.review-requests"> = {
    ...each,
    apply: async (messages, position) => {
      await each.apply(messages, position);
      checks.poke();
    },
  };
  return startTopicConsumer(bus, {
    consumer: SERVICE,
    note: noteInTimeline(bus.clock),
    handlers: { "porting.review-requests": requests },
  });
}

function openIdempotency({ clock, log, hint }: Bus, pool: JoiningPool) {
  const onCommit = (): void => hint.poke();
  const ownerOf = ({ operatorId }: OperatorPrincipal): string => `operator:${operatorId}`;
  return startIdempotency({ pool, clock, log, onCommit, ownerOf });
}

interface RouteParts {
  readonly bus: Bus;
  readonly box: SecretBox;
  readonly files: FileStore;
  readonly providers: Providers;
  readonly dataSource: DataSource;
  readonly config: RequirementReviewConfig;
}

function deskRoutes({ bus, box, files, providers, dataSource, config }: RouteParts): DeskRoute[] {
  const { pool, clock } = bus;
  return [
    ...meRoutes(),
    ...accountRoutes({ dataSource, pool, clock }),
    ...auditRoutes({ pool }),
    ...reviewRoutes({ bus, box, claimLapseMs: config.CLAIM_LAPSE }),
    ...documentRoutes({ pool, files }),
    ...orderRoutes(bus),
    ...carrierUpdateRoutes({ bus, providers }),
    ...numberRoutes(bus),
    ...portOutRoutes(bus),
    ...deadLetterRoutes(bus),
    ...healthRoutes(bus),
    ...(config.SANDBOX ? sandboxRoutes(bus) : []),
  ];
}

function sandboxRoutes(bus: Bus): DeskRoute[] {
  return [...sandboxPortOutRoutes(bus), ...sandboxCallRoutes(bus), ...sandboxCommentRoutes(bus)];
}
