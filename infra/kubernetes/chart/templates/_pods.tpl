{{/* What is the same for every pod. Of (dict "root" $ "account" name). */}}
{{- define "porting.podBasics" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
# Variables such as API_PORT would be set to the addresses of Services.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
# The pause container reaps the orphans of processes that open documents and print letters.
shareProcessNamespace: true
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .root.Values.pods.user }}
  runAsGroup: {{ .root.Values.pods.group }}
  fsGroup: {{ .root.Values.pods.group }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* What is the same for every container. Of $. */}}
{{- define "porting.containerBasics" -}}
image: {{ include "porting.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* The volumes of a program, by what its variables name. Of (dict "root" $ "facts" facts "login" login). */}}
{{- define "porting.volumes" -}}
{{- $values := .root.Values -}}
{{- $names := include "porting.variables" (list .root .facts) | fromJsonArray -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if and (has "DATABASE_URL" $names) $values.database.ca.secret }}
- name: database-ca
  secret:
    secretName: {{ $values.database.ca.secret }}
    # The Secret may also have the key of the authority.
    items: [{ key: {{ $values.database.ca.key }}, path: ca.crt }]
{{- end }}
{{- if and (has "KAFKA_SSL" $names) $values.kafka.tls.enabled }}
{{- with $values.kafka.tls.ca }}{{- if .secret }}
- name: kafka-ca
  secret:
    secretName: {{ .secret }}
    items: [{ key: {{ .key }}, path: ca.crt }]
{{- end }}{{- end }}
{{- with $values.kafka.tls.clientCertificates }}{{- if .secretPrefix }}
- name: kafka-client
  secret:
    secretName: {{ printf "%s%s" .secretPrefix $.login.kafka.name }}
    items:
      - { key: {{ .certificateKey }}, path: tls.crt }
      - { key: {{ .keyKey }}, path: tls.key }
{{- end }}{{- end }}
{{- end }}
{{- if and (has "SCHEMA_REGISTRY_URL" $names) $values.schemaRegistry.ca.secret }}
- name: registry-ca
  secret:
    secretName: {{ $values.schemaRegistry.ca.secret }}
    items: [{ key: {{ $values.schemaRegistry.ca.key }}, path: ca.crt }]
{{- end }}
{{- if and (has "CARRIERS_DIR" $names) $values.carriers.configMap }}
- name: carriers
  configMap:
    name: {{ $values.carriers.configMap }}
    items:
      - { key: directory.json, path: directory.json }
      {{- range $values.carriers.providers }}
      - { key: {{ . }}.json, path: providers/{{ . }}.json }
      {{- end }}
      {{- range $values.carriers.terms }}
      - { key: terms-{{ . }}.json, path: terms/{{ . }}.json }
      {{- end }}
{{- end }}
{{- if has "DOCUMENTS_DIR" $names }}
- name: documents
  {{- if $values.documents.bucket.name }}
  emptyDir: { sizeLimit: {{ $values.documents.bucket.uploads }} }
  {{- else }}
  persistentVolumeClaim: { claimName: {{ $values.documents.volume.claim }} }
  {{- end }}
{{- end }}
{{- end -}}

{{/* Where the volumes of porting.volumes are mounted. Of the volumes. */}}
{{- define "porting.mounts" -}}
{{- range . }}
- name: {{ .name }}
  {{- if eq .name "tmp" }}
  mountPath: /tmp
  {{- else if eq .name "documents" }}
  mountPath: /var/lib/porting/documents
  {{- else }}
  mountPath: /etc/porting/{{ .name }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end -}}
