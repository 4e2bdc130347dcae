/** A value for each setting of the services that has no default, where only the defaults matter. */
export const REQUIRED_SETTINGS = {
  DATABASE_URL: "postgresql://localhost/porting",
  KAFKA_BROKERS: "kafka:9092",
  SCHEMA_REGISTRY_URL: "http://registry:8081",
  SECRETS_KEY: "key",
  DOCUMENTS_DIR: "/documents",
};
