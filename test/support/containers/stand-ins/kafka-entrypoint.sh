#!/bin/bash
# As the official image: Kafka's own program makes the configuration of the variables, and formats the folder once.
set -e
export CLUSTER_ID="${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}"
result=$(java -Xmx128m -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup \
  -D /etc/kafka/docker -M /mnt/shared/config -F /opt/kafka/config 2>&1) ||
  grep -qi 'already formatted' <<< "$result" || { echo "$result"; exit 1; }
exec java $KAFKA_HEAP_OPTS -cp '/opt/kafka/libs/*' kafka.Kafka /opt/kafka/config/server.properties
