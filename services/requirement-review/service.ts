import { describeByKey } from "../domain/order/store/timeline.ts";
import { openConsumingBus, type Bus } from "../messages/bus/bus.ts";
import { onceEach, startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import type { ReviewRequest } from "../messages/generated/review-request.ts";
import { openFileStore } from "../platform/files/file-store.ts";
import type { RunningConsumer } from "../platform/kafka/consumer.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import { createSecretBox, parseSecretKeys, type SecretBox } from "../platform/secret-box.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import type { RequirementReviewConfig } from "./config.ts";
import { deskHoursOf } from "./desk-hours.ts";
import type { DocumentQueue, DocumentWork } from "./document-check/document-queue.ts";
import { openDocumentQueue, openScanner } from "./document-check/open-document-queue.ts";
import { onReviewRequest } from "./handlers/on-review-request.ts";

const CONSUMER = "requirement-review";

export interface RequirementReviewOptions {
  readonly config: RequirementReviewConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startRequirementReview(
  options: RequirementReviewOptions,
): Promise<RunningService> {
  const { config } = options;
  const box = createSecretBox(parseSecretKeys(config.SECRETS_KEY));
  const { bus, waitsFor, close } = await openConsumingBus({ ...options, service: CONSUMER, box });
  const files = await openFileStore(config);
  const scanner = await openScanner(bus, config);
  const documents = openDocumentQueue(bus, { files, box, scanner, config });
  const consumer = await readRequests(bus, config, { documents, box });
  waitsFor([consumer]);
  return {
    stop: async () => {
      await consumer.stop();
      await documents.stop();
      await close();
    },
  };
}

/** What a request queues work for. */
const WORK_OF: Readonly<Partial<Record<ReviewRequest["kind"], DocumentWork>>> = {
  check_document: "check",
  open_case: "read",
};

/** The queue of documents is notified as soon as requests are committed. */
function readRequests(
  bus: Bus,
  config: RequirementReviewConfig,
  { documents, box }: { readonly documents: DocumentQueue; readonly box: SecretBox },
): Promise<RunningConsumer> {
  const clock = { dueMs: config.REVIEW_DUE, hours: deskHoursOf(config) };
  const each = onceEach(bus, CONSUMER, onReviewRequest(clock, box));
  const apply: typeof each.apply = async (messages, position) => {
    await each.apply(messages, position);
    for (const { message } of messages) {
      const work = WORK_OF[message.kind];
      if (work !== undefined) documents.notify(work);
    }
  };
  return startTopicConsumer(bus, {
    consumer: CONSUMER,
    describe: describeByKey(bus.clock),
    handlers: { "porting.review-requests": { ...each, apply } },
  });
}
