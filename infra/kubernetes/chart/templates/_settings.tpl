{{/* A setting as its variable has it: a large number without an exponent. */}}
{{- define "porting.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq (floor .) . -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- else -}}
{{ . }}
{{- end -}}
{{- end -}}

{{- define "porting.publicUrl" -}}
{{- if .publicUrl -}}{{ .publicUrl }}{{- else if .host -}}https://{{ .host }}{{- end -}}
{{- end -}}

{{/*
Every variable that is not a secret, for a program that logs in to Kafka as a user. An empty one is not given.
Of (dict "root" $ "kafkaUser" "api"), as YAML; with "registryUser" where it registers schemas.
*/}}
{{- define "porting.plainVariables" -}}
{{- $values := .root.Values -}}
{{- $given := dict
  "API_PORT" "3000"
  "DESK_PORT" "3001"
  "HEALTH_PORT" "3002"
  "METRICS_PUBLIC" "false"
  "LISTEN_HOST" $values.pods.listenHost
  "PUBLIC_API_URL" (include "porting.publicUrl" $values.exposure.api)
  "PUBLIC_DESK_URL" (include "porting.publicUrl" $values.exposure.desk)
  "SANDBOX" $values.sandbox.enabled
  "LOG_LEVEL" (.logLevel | default "")
  "DATABASE_ROLE" $values.database.role
  "DATABASE_POOL_SIZE" $values.database.poolSize
  "DOCUMENTS_DIR" "/var/lib/porting/documents"
  "DOCUMENTS_BUCKET" $values.documents.bucket.name
  "KAFKA_BROKERS" (join "," $values.kafka.brokers)
  "KAFKA_SSL" $values.kafka.tls.enabled
  "KAFKA_SASL_MECHANISM" $values.kafka.sasl.mechanism
  "KAFKA_SASL_TOKEN_URL" $values.kafka.sasl.tokenUrl
  "KAFKA_SASL_SCOPE" $values.kafka.sasl.scope
  "TOPIC_PREFIX" $values.kafka.topicPrefix
  "KAFKA_REPLICATION" $values.kafka.topics.replication
  "TOPIC_PARTITIONS" $values.kafka.topics.partitions
  "SCHEMA_REGISTRY_URL" $values.schemaRegistry.url
  "SCHEMA_REGISTRY_USERNAME" (.registryUser | default $values.schemaRegistry.username)
-}}
{{- if $values.kafka.sasl.mechanism -}}
{{- $_ := set $given "KAFKA_SASL_USERNAME" .kafkaUser -}}
{{- end -}}
{{- if $values.documents.bucket.name -}}
{{- $_ := set $given "DOCUMENTS_BUCKET_REGION" $values.documents.bucket.region -}}
{{- $_ := set $given "DOCUMENTS_BUCKET_ENDPOINT" $values.documents.bucket.endpoint -}}
{{- end -}}
{{- if $values.carriers.configMap -}}
{{- $_ := set $given "CARRIERS_DIR" "/etc/porting/carriers" -}}
{{- end -}}
{{- range $name, $file := include "porting.certificateFiles" .root | fromYaml -}}
{{- if hasPrefix "KAFKA_" $name -}}
{{- if $values.kafka.tls.enabled -}}{{- $_ := set $given $name $file -}}{{- end -}}
{{- else -}}
{{- $_ := set $given $name $file -}}
{{- end -}}
{{- end -}}
{{- $texts := dict -}}
{{- range $name, $value := merge (dict) $given $values.settings -}}
{{- $text := include "porting.text" $value -}}
{{- if ne $text "" -}}{{- $_ := set $texts $name $text -}}{{- end -}}
{{- end -}}
{{- toYaml $texts -}}
{{- end -}}

{{/* The files of certificates, by the variables that name them; mounted by porting.volumes. As YAML. */}}
{{- define "porting.certificateFiles" -}}
{{- $files := dict -}}
{{- with .Values.kafka.tls.ca.secret -}}{{- $_ := set $files "KAFKA_SSL_CA_FILE" "/etc/porting/kafka-ca/ca.crt" -}}{{- end -}}
{{- if .Values.kafka.tls.clientCertificates.secretPrefix -}}
{{- $_ := set $files "KAFKA_SSL_CERT_FILE" "/etc/porting/kafka-client/tls.crt" -}}
{{- $_ := set $files "KAFKA_SSL_KEY_FILE" "/etc/porting/kafka-client/tls.key" -}}
{{- end -}}
{{- with .Values.schemaRegistry.ca.secret -}}{{- $_ := set $files "SCHEMA_REGISTRY_CA_FILE" "/etc/porting/registry-ca/ca.crt" -}}{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{/* The plain variables that a program reads. Of (dict "root" $ "facts" facts "kafkaUser" user "logLevel" level), as YAML. */}}
{{- define "porting.readVariables" -}}
{{- $all := include "porting.plainVariables" . | fromYaml -}}
{{- $read := dict -}}
{{- range include "porting.variables" (list .root .facts) | fromJsonArray -}}
{{- if hasKey $all . -}}{{- $_ := set $read . (get $all .) -}}{{- end -}}
{{- end -}}
{{- toYaml $read -}}
{{- end -}}
