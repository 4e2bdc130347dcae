{{/* The pod of a job or command. Of (dict "root" $ "name" name "facts" facts "account" account). */}}
{{- define "porting.jobPod" -}}
{{- $root := .root -}}
{{- $login := include "porting.ownerLogin" $root | fromYaml -}}
{{- $context := dict "root" $root "facts" .facts "login" $login "kafkaUser" $login.kafka.user "registryUser" $root.Values.schemaRegistry.writer.username -}}
{{- $volumes := include "porting.volumes" $context | fromYamlArray -}}
metadata:
  labels: {{- include "porting.labels" (list $root .name) | nindent 4 }}
spec:
  {{- include "porting.podBasics" (dict "root" $root "account" .account) | nindent 2 }}
  restartPolicy: Never
  {{- with $root.Values.jobs.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.jobs.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .name }}
      {{- include "porting.containerBasics" $root | nindent 6 }}
      args: {{- toYaml .facts.args | nindent 8 }}
      env:
        {{- range $variable, $value := include "porting.readVariables" $context | fromYaml }}
        - { name: {{ $variable }}, value: {{ $value | quote }} }
        {{- end }}
        {{- include "porting.secretVariables" $context | nindent 8 }}
        {{- if and (eq .name "migrate") $root.Values.database.setPasswords }}
        {{- include "porting.rolePasswords" $root | nindent 8 }}
        {{- end }}
      resources: {{- toYaml $root.Values.jobs.resources | nindent 8 }}
      volumeMounts: {{- include "porting.mounts" $volumes | nindent 8 }}
  volumes: {{- toYaml $volumes | nindent 4 }}
{{- end -}}

{{/*
A job before an installation or an upgrade; those of a lower weight have ended well before it begins.
Of (dict "root" $ "name" "migrate" "weight" 0).
*/}}
{{- define "porting.hookJob" -}}
{{- $root := .root -}}
{{- $jobs := $root.Values.jobs -}}
{{- $facts := (index ($root.Files.Get "files/programs.yaml" | fromYaml) "jobs" .name) }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "porting.name" (list $root .name) }}
  labels: {{- include "porting.labels" (list $root .name) | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: {{ $jobs.backoffLimit }}
  activeDeadlineSeconds: {{ $jobs.activeDeadlineSeconds }}
  ttlSecondsAfterFinished: {{ $jobs.ttlSecondsAfterFinished }}
  template: {{- include "porting.jobPod" (dict "root" $root "name" .name "facts" $facts "account" (include "porting.name" (list $root "jobs"))) | nindent 4 }}
{{- end -}}

{{/* What the jobs and commands connect to. Of $. */}}
{{- define "porting.jobsPolicy" -}}
{{- $commands := (.Files.Get "files/programs.yaml" | fromYaml).jobs.commands -}}
podSelector:
  matchLabels:
    app.kubernetes.io/name: {{ .Chart.Name }}
    app.kubernetes.io/instance: {{ .Release.Name }}
  matchExpressions:
    - { key: app.kubernetes.io/component, operator: In, values: [migrate, rights, topics, commands] }
policyTypes: [Ingress, Egress]
egress: {{- include "porting.egressOf" (dict "root" . "facts" $commands) | nindent 2 }}
{{- end -}}
