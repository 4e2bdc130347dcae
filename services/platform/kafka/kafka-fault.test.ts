import { describe, expect, it } from "@jest/globals";
import { AppError } from "../errors.ts";
import { kafkaFault } from "./kafka-fault.ts";

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
