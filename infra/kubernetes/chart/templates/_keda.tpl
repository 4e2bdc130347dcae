{{/* Each change of the number of consumers stops the group for a moment: up one at a time, down slowly. */}}
{{- define "porting.scalingBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 30
  policies: [{ type: Pods, value: 1, periodSeconds: 30 }]
scaleDown:
  stabilizationWindowSeconds: 300
  policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
{{- end -}}

{{/* Kafka's login mechanism as KEDA names it. */}}
{{- define "porting.kedaSasl" -}}
{{- get (dict "" "none" "PLAIN" "plaintext" "SCRAM-SHA-256" "scram_sha256" "SCRAM-SHA-512" "scram_sha512" "OAUTHBEARER" "oauthbearer") . -}}
{{- end -}}

{{/*
KEDA reads the lag as the service's own user, which may describe every group and topic.
Of (dict "root" $ "name" name "it" it).
*/}}
{{- define "porting.scaledObject" -}}
{{- $root := .root -}}
{{- $kafka := $root.Values.kafka -}}
{{- $own := .it.values.autoscaling -}}
{{- $target := include "porting.name" (list $root .name) }}
{{- $certificates := and $kafka.tls.enabled (or $kafka.tls.ca.secret $kafka.tls.clientCertificates.secretPrefix) }}
{{- $hasLogin := or $kafka.sasl.mechanism $certificates }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $target }}
  labels: {{- include "porting.labels" (list $root .name) | nindent 4 }}
  {{- if $root.Values.stopped }}
  # KEDA would go back to minReplicaCount; a HorizontalPodAutoscaler leaves a Deployment without copies alone.
  annotations: { autoscaling.keda.sh/paused-replicas: "0" }
  {{- end }}
spec:
  scaleTargetRef: { name: {{ $target }} }
  minReplicaCount: {{ $own.minReplicas }}
  maxReplicaCount: {{ $own.maxReplicas }}
  # Where the lag cannot be read, the number of copies stays.
  fallback: { failureThreshold: 3, replicas: {{ $own.minReplicas }}, behavior: currentReplicas }
  advanced:
    horizontalPodAutoscalerConfig:
      behavior: {{- include "porting.scalingBehavior" . | nindent 8 }}
  triggers:
    {{- range .it.facts.consumes }}
    - type: kafka
      {{- if $hasLogin }}
      authenticationRef: { name: {{ $target }} }
      {{- end }}
      metadata:
        bootstrapServers: {{ join "," $kafka.brokers | quote }}
        consumerGroup: {{ $kafka.topicPrefix }}{{ .group }}
        topic: {{ $kafka.topicPrefix }}{{ .topic }}
        lagThreshold: {{ $own.lagPerCopy | quote }}
        offsetResetPolicy: earliest
        sasl: {{ include "porting.kedaSasl" $kafka.sasl.mechanism }}
        tls: {{ if $kafka.tls.enabled }}enable{{ else }}disable{{ end }}
    {{- end }}
{{- if $hasLogin }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: {{ $target }}
  labels: {{- include "porting.labels" (list $root .name) | nindent 4 }}
spec:
  {{- if $kafka.sasl.mechanism }}
  env:
    - { parameter: username, name: KAFKA_SASL_USERNAME }
    {{- if eq $kafka.sasl.mechanism "OAUTHBEARER" }}
    - { parameter: oauthTokenEndpointUri, name: KAFKA_SASL_TOKEN_URL }
    - { parameter: scopes, name: KAFKA_SASL_SCOPE }
    {{- end }}
  {{- end }}
  secretTargetRef:
    {{- if $kafka.sasl.mechanism }}
    - { parameter: password, name: {{ printf "%s%s" $kafka.sasl.passwords.secretPrefix .name }}, key: {{ $kafka.sasl.passwords.key }} }
    {{- end }}
    {{- if and $kafka.tls.enabled $kafka.tls.ca.secret }}
    - { parameter: ca, name: {{ $kafka.tls.ca.secret }}, key: {{ $kafka.tls.ca.key }} }
    {{- end }}
    {{- with $kafka.tls.clientCertificates }}{{- if .secretPrefix }}
    - { parameter: cert, name: {{ printf "%s%s" .secretPrefix $.name }}, key: {{ .certificateKey }} }
    - { parameter: key, name: {{ printf "%s%s" .secretPrefix $.name }}, key: {{ .keyKey }} }
    {{- end }}{{- end }}
{{- end }}
{{- end -}}
