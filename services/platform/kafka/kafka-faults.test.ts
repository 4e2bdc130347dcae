import { describe, expect, it } from "@jest/globals";
import kafkajs from "kafkajs";
import { AppError } from "../errors.ts";
import { isPassing, kafkaFault, patiently } from "./kafka-faults.ts";

const leaderless = new kafkajs.KafkaJSProtocolError(
  Object.assign(new Error("no leader"), { type: "LEADER_NOT_AVAILABLE", retriable: true }),
);
const forbidden = new kafkajs.KafkaJSProtocolError(
  Object.assign(new Error("not allowed"), { type: "TOPIC_AUTHORIZATION_FAILED", retriable: false }),
);
/** As kafkajs creates it, although its types allow no argument. */
const noCoordinator = Object.assign(new kafkajs.KafkaJSNonRetriableError("loading"), {
  name: "KafkaJSGroupCoordinatorNotFound",
});
const tries = { retryCount: 5, retryTime: 100 };

describe("isPassing", () => {
  it("is true for transient faults", () => {
    expect(isPassing(leaderless)).toBe(true);
    expect(isPassing(noCoordinator)).toBe(true);
    expect(isPassing(new kafkajs.KafkaJSNumberOfRetriesExceeded(leaderless, tries))).toBe(true);
    expect(isPassing(new AppError("broker_unavailable", "away", { retryable: true }))).toBe(true);
  });

  it("is false for permanent and unknown errors", () => {
    expect(isPassing(forbidden)).toBe(false);
    expect(isPassing(new kafkajs.KafkaJSNumberOfRetriesExceeded(forbidden, tries))).toBe(false);
    expect(isPassing(new kafkajs.KafkaJSAggregateError("two", [leaderless, forbidden]))).toBe(
      false,
    );
    expect(isPassing(new AppError("topic_mismatch", "differs"))).toBe(false);
    expect(isPassing(new TypeError("a bug"))).toBe(false);
  });
});

describe("patiently", () => {
  it("retries until it succeeds", async () => {
    const faults: Error[] = [leaderless, leaderless];
    const ask = () => {
      const fault = faults.shift();
      return fault === undefined ? Promise.resolve("answer") : Promise.reject(fault);
    };
    expect(await patiently(ask, 10_000)).toBe("answer");
    expect(faults).toEqual([]);
  });

  it("throws the last fault when the time is over, and a permanent one at once", async () => {
    let asked = 0;
    const asking = (fault: Error) => () => {
      asked += 1;
      return Promise.reject(fault);
    };
    await expect(patiently(asking(leaderless), 60)).rejects.toBe(leaderless);
    expect(asked).toBe(2);
    await expect(patiently(asking(forbidden), 60_000)).rejects.toBe(forbidden);
    expect(asked).toBe(3);
  });
});

const PLACE = { brokers: ["kafka:9092"], user: "ada" };

const fault = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const told = (error: Error): string => {
  const known = kafkaFault(error, PLACE);
  return known instanceof AppError ? known.message : "";
};

describe("a fault of Kafka, in a command line program", () => {
  it("is one line that names the address and the user", () => {
    expect(
      told(fault("KafkaJSSASLAuthenticationError", "SASL SCRAM SHA512 authentication failed")),
    ).toBe("Kafka at kafka:9092 refuses the login as ada: SASL SCRAM SHA512 authentication failed");
    expect(told(fault("KafkaJSGroupCoordinatorNotFound", "Failed to find group coordinator"))).toBe(
      "Kafka at kafka:9092 does not let this program, as ada, do what it has to: Failed to find group coordinator",
    );
    expect(told(fault("KafkaJSNumberOfRetriesExceeded", "Connection error: refused"))).toBe(
      "Kafka at kafka:9092 cannot be reached as ada: Connection error: refused",
    );
  });

  it("leaves every other error as it is", () => {
    const error = new TypeError("a defect");
    expect(kafkaFault(error, PLACE)).toBe(error);
  });
});
