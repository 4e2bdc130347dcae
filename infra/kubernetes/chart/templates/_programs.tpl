{{/*
The services that run, by name, each with its facts (files/programs.yaml) and its values over those of serviceDefaults.
As YAML.
*/}}
{{- define "porting.services" -}}
{{- $programs := .Files.Get "files/programs.yaml" | fromYaml -}}
{{- $running := dict -}}
{{- range $name, $facts := $programs.services -}}
{{- if or (ne $name "sandbox-carrier") $.Values.sandbox.enabled -}}
{{- $own := get $.Values.services $name | default dict -}}
{{- $values := mustMergeOverwrite (deepCopy $.Values.serviceDefaults) (deepCopy $own) -}}
{{- $_ := set $running $name (dict "facts" $facts "values" $values) -}}
{{- end -}}
{{- end -}}
{{- toYaml $running -}}
{{- end -}}

{{/* The variables that a program reads. Of (list $ facts), as a JSON list. */}}
{{- define "porting.variables" -}}
{{- $groups := (index . 0).Files.Get "files/programs.yaml" | fromYaml | dig "groups" dict -}}
{{- $facts := index . 1 -}}
{{- $names := concat ($facts.variables | default list) ($facts.settings | default list) -}}
{{- range $facts.groups -}}
{{- $names = concat $names (get $groups .) -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* How a service logs in. Of (dict "root" $ "name" "api" "values" values), as YAML. */}}
{{- define "porting.serviceLogin" -}}
database:
  user: {{ .values.databaseUser | default (printf "porting_%s" (replace "-" "_" .name)) }}
  secret: {{ printf "%s%s" .root.Values.database.passwords.secretPrefix .name }}
  key: {{ .root.Values.database.passwords.key }}
kafka:
  user: {{ .values.kafkaUser | default .name }}
  name: {{ .name }}
{{- end -}}

{{/* How jobs and commands log in: as the database's owner and Kafka's administrator. As YAML. */}}
{{- define "porting.ownerLogin" -}}
database: {{- toYaml .Values.database.owner | nindent 2 }}
kafka:
  user: {{ .Values.kafka.admin.user }}
  name: admin
{{- end -}}

{{/* The largest number of copies of a service. Of its values. */}}
{{- define "porting.mostCopies" -}}
{{- if eq .autoscaling.by "none" -}}{{ .replicas }}{{- else -}}{{ .autoscaling.maxReplicas }}{{- end -}}
{{- end -}}

{{/* true where the documents are on a volume that only one node can mount. */}}
{{- define "porting.documentsOnOneNode" -}}
{{- if and (not .Values.documents.bucket.name) (eq .Values.documents.volume.accessMode "ReadWriteOnce") -}}true{{- end -}}
{{- end -}}
