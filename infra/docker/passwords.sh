#!/bin/sh
# Prints a line for each password of docker-compose.yml that .env lacks: sh infra/docker/passwords.sh >> .env
for name in POSTGRES KAFKA_ADMIN REGISTRY REGISTRY_READER REGISTRY_WRITER API DESK REQUIREMENT_REVIEW \
  ORDER_LIFECYCLE CARRIER_ADAPTER SANDBOX_CARRIER PLATFORM_CARRIER WEBHOOK_SENDER EVENT_LOG OUTBOX_RELAY; do
  grep -qs "^${name}_PASSWORD=." .env || echo "${name}_PASSWORD=$(openssl rand -hex 24)"
done
