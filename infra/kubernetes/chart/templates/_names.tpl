{{/* The name of an object: the release's, and what it is. Of (list $ "api"). */}}
{{- define "porting.name" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s" ($root.Release.Name | trunc 40 | trimSuffix "-") (index . 1) -}}
{{- end -}}

{{/* What selects the pods of one program. Of (list $ "api"). */}}
{{- define "porting.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Labels of every object. Of (list $ "api"). */}}
{{- define "porting.labels" -}}
{{- $root := index . 0 -}}
{{ include "porting.selector" . }}
app.kubernetes.io/version: {{ $root.Values.image.tag | default $root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "porting.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}
