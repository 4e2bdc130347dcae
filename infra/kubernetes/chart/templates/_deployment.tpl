{{/* The ConfigMap's data of a service. Of (dict "root" $ "name" name "it" it). */}}
{{- define "porting.serviceVariables" -}}
{{- $user := .it.values.kafkaUser | default .name -}}
{{- include "porting.readVariables" (dict "root" .root "facts" .it.facts "kafkaUser" $user "logLevel" .it.values.logLevel) -}}
{{- end -}}

{{/*
Probes. The front doors' readiness is asked on the port that people use; everything else on the port that nobody else
reaches, so that no flood of connections there ends a process. A start waits as long as database and broker are away.
*/}}
{{- define "porting.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 2
  timeoutSeconds: 4
  failureThreshold: 300
readinessProbe:
  httpGet: { path: /readyz, port: {{ if .front }}http{{ else }}metrics{{ end }} }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}

{{/* How copies are spread. Of (list $ name). */}}
{{- define "porting.spread" -}}
{{- $pods := (index . 0).Values.pods -}}
{{- range $key, $unsatisfiable := dict "topology.kubernetes.io/zone" $pods.spreadOverZones "kubernetes.io/hostname" $pods.spreadOverNodes }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $unsatisfiable }}
  # A node with a taint, such as a lost one, does not count, but one that is full does; copies being replaced do not.
  nodeTaintsPolicy: Honor
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "porting.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{/* Those that have the documents beside each other, where one node alone has the documents. Of $. */}}
{{- define "porting.besideDocuments" -}}
podAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels:
          app.kubernetes.io/instance: {{ .Release.Name }}
          number-porting-service/documents: one-node
{{- end -}}

{{/* The pod of a service. Of (dict "root" $ "name" name "it" it). */}}
{{- define "porting.servicePod" -}}
{{- $root := .root -}}
{{- $values := .it.values -}}
{{- $facts := .it.facts -}}
{{- $login := include "porting.serviceLogin" (dict "root" $root "name" .name "values" $values) | fromYaml -}}
{{- $volumes := include "porting.volumes" (dict "root" $root "facts" $facts "login" $login) | fromYamlArray -}}
{{- $isBesideDocuments := and (has "documents" $facts.groups) (include "porting.documentsOnOneNode" $root) -}}
metadata:
  labels:
    {{- include "porting.labels" (list $root .name) | nindent 4 }}
    {{- if $isBesideDocuments }}
    number-porting-service/documents: one-node
    {{- end }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    checksum/settings: {{ include "porting.serviceVariables" . | sha256sum }}
    {{- with $root.Values.pods.secretsRevision }}
    number-porting-service/secrets-revision: {{ . | quote }}
    {{- end }}
    {{- with $values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  {{- include "porting.podBasics" (dict "root" $root "account" (include "porting.name" (list $root .name))) | nindent 2 }}
  terminationGracePeriodSeconds: {{ $root.Values.pods.terminationGracePeriodSeconds }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if $isBesideDocuments }}
  affinity: {{- mustMergeOverwrite (include "porting.besideDocuments" $root | fromYaml) (deepCopy $values.affinity) | toYaml | nindent 4 }}
  {{- else if $values.affinity }}
  affinity: {{- toYaml $values.affinity | nindent 4 }}
  {{- end }}
  topologySpreadConstraints: {{- include "porting.spread" (list $root .name) | nindent 4 }}
  containers:
    - name: {{ .name }}
      {{- include "porting.containerBasics" $root | nindent 6 }}
      args: [services/{{ .name }}/main.ts]
      envFrom:
        - configMapRef: { name: {{ include "porting.name" (list $root .name) }} }
      {{- with concat (include "porting.secretVariables" (dict "root" $root "facts" $facts "login" $login) | fromYamlArray) $values.extraEnv }}
      env: {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- with $facts.front }}
        - { name: http, containerPort: {{ .port }} }
        {{- end }}
        - { name: metrics, containerPort: 3002 }
      {{- include "porting.probes" $facts | nindent 6 }}
      {{- if $facts.front }}
      # While routers learn that the pod is going, it goes on serving; then SIGTERM.
      lifecycle:
        preStop: { sleep: { seconds: {{ $root.Values.pods.preStopSeconds }} } }
      {{- end }}
      resources: {{- toYaml $values.resources | nindent 8 }}
      volumeMounts:
        {{- include "porting.mounts" $volumes | nindent 8 }}
        {{- with $values.extraVolumeMounts }}{{ toYaml . | nindent 8 }}{{ end }}
  volumes:
    {{- toYaml $volumes | nindent 4 }}
    {{- with $values.extraVolumes }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end -}}
