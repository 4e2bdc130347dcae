{{/* Refuses values that are valid one by one and cannot work together. */}}
{{- define "porting.check" -}}
{{- $partitions := int .Values.kafka.topics.partitions -}}
{{- if not (or .Values.documents.bucket.name .Values.documents.volume.claim) -}}
{{- fail "\n\ndocuments: name a bucket (documents.bucket.name) or an existing claim (documents.volume.claim)." -}}
{{- end -}}
{{- range $name, $it := include "porting.services" . | fromYaml -}}
{{- $most := include "porting.mostCopies" $it.values | int -}}
{{- $autoscaling := $it.values.autoscaling -}}
{{- if and (has "documents" $it.facts.groups) (include "porting.documentsOnOneNode" $) (gt $most 1) -}}
{{- fail (printf "\n\nservices.%s may have %d copies, but documents.volume.accessMode is ReadWriteOnce, which one node can mount: use a bucket, a ReadWriteMany volume, or one copy with autoscaling.by: none." $name $most) -}}
{{- end -}}
{{- if and (not $it.facts.front) $it.facts.consumes (gt $most $partitions) -}}
{{- fail (printf "\n\nservices.%s may have %d copies, but topics have %d partitions (kafka.topics.partitions): the others would have nothing to do." $name $most $partitions) -}}
{{- end -}}
{{- if and $it.facts.mostCopies (gt $most (int $it.facts.mostCopies)) -}}
{{- fail (printf "\n\nservices.%s may have %d copies, but one reads the outbox, and one more may wait to take over." $name $most) -}}
{{- end -}}
{{- if and (eq $autoscaling.by "lag") (not $it.facts.consumes) -}}
{{- fail (printf "\n\nservices.%s.autoscaling.by is lag, but its load does not show in the lag of a consumer group: use none or cpu." $name) -}}
{{- end -}}
{{- if and (ne $autoscaling.by "none") (gt (int $autoscaling.minReplicas) (int $autoscaling.maxReplicas)) -}}
{{- fail (printf "\n\nservices.%s.autoscaling has minReplicas above maxReplicas." $name) -}}
{{- end -}}
{{- if le (int $.Values.pods.terminationGracePeriodSeconds) (add 21 (int $.Values.pods.preStopSeconds) | int) -}}
{{- fail "\n\npods.terminationGracePeriodSeconds must be more than 21 and pods.preStopSeconds: a service takes up to 21 s to end." -}}
{{- end -}}
{{- end -}}
{{- if and (eq (.Values.settings.DEFAULT_PROVIDER | default "") "sandbox") (not .Values.sandbox.enabled) -}}
{{- fail "\n\nsettings.DEFAULT_PROVIDER is sandbox, but sandbox.enabled is false: nobody would carry out the orders." -}}
{{- end -}}
{{- if and (not .Values.sandbox.enabled) (not (include "porting.publicUrl" .Values.exposure.api)) -}}
{{- fail "\n\nexposure.api has neither host nor publicUrl: links to documents, which carriers get, would lead to localhost." -}}
{{- end -}}
{{- if and (eq .Values.kafka.sasl.mechanism "OAUTHBEARER") (not .Values.kafka.sasl.tokenUrl) -}}
{{- fail "\n\nkafka.sasl.mechanism is OAUTHBEARER, which needs kafka.sasl.tokenUrl." -}}
{{- end -}}
{{- if and .Values.schemaRegistry.writer.username (not .Values.schemaRegistry.writer.password.secret) -}}
{{- fail "\n\nschemaRegistry.writer.username is set: name the Secret with its password (schemaRegistry.writer.password.secret)." -}}
{{- end -}}
{{- if and .Values.schemaRegistry.username (not .Values.schemaRegistry.password.secret) -}}
{{- fail "\n\nschemaRegistry.username is set: name the Secret with its password (schemaRegistry.password.secret)." -}}
{{- end -}}
{{- if ne .Values.exposure.type "none" -}}
{{- range $front := list "api" "desk" -}}
{{- if not (get $.Values.exposure $front).host -}}
{{- fail (printf "\n\nexposure.type is %s: set exposure.%s.host." $.Values.exposure.type $front) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.exposure.type "gateway") (not .Values.exposure.gateway.parentRefs) -}}
{{- fail "\n\nexposure.type is gateway: name the Gateway in exposure.gateway.parentRefs." -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.from) -}}
{{- fail "\n\nnetworkPolicy.from is empty: name the pods of the Ingress controller or the Gateway, or nobody reaches API and desk." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.carriers.configMap (not .Values.carriers.providers) -}}
{{- fail "\n\ncarriers.configMap is set: list its providers (carriers.providers)." -}}
{{- end -}}
{{- end -}}
