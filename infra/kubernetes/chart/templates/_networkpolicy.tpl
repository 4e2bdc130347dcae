{{/* One egress rule. Of (list "networkPolicy.kafka" peers ports). */}}
{{- define "porting.egress" -}}
{{- if not (index . 1) -}}
{{- fail (printf "\n\n%s.to is empty, which would allow every destination: name where it is." (index . 0)) -}}
{{- end }}
- to: {{- toYaml (index . 1) | nindent 4 }}
  ports:
    {{- range index . 2 }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{- define "porting.egressToNames" -}}
- to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{/* The name servers that are asked instead of the system's, one rule each. Of WEBHOOK_NAME_SERVERS. */}}
{{- define "porting.egressToNameServers" -}}
{{- range splitList "," . }}
{{- $server := trim . }}
{{- $port := "53" }}
{{- if hasPrefix "[" $server }}
{{- with regexFind ":[0-9]+$" $server }}{{ $port = trimPrefix ":" . }}{{ end }}
{{- $server = regexFind "[^\\[\\]]+" $server }}
{{- else if eq (len (splitList ":" $server)) 2 }}
{{- $port = index (splitList ":" $server) 1 }}
{{- $server = index (splitList ":" $server) 0 }}
{{- end }}
- to: [{ ipBlock: { cidr: {{ printf "%s/%s" $server (ternary "128" "32" (contains ":" $server)) | quote }} } }]
  ports:
    - { protocol: UDP, port: {{ $port }} }
    - { protocol: TCP, port: {{ $port }} }
{{- end }}
{{- end -}}

{{/* Customers' endpoints: public addresses and allowed ranges, or the proxy alone. Of $. */}}
{{- define "porting.egressToReceivers" -}}
{{- $webhooks := .Values.networkPolicy.webhooks -}}
{{- if $webhooks.proxy.secret -}}
{{- include "porting.egress" (list "networkPolicy.webhooks.proxy" $webhooks.proxy.to $webhooks.proxy.ports) }}
{{- else }}
- to:
    {{- range .Files.Get "files/networks.yaml" | fromYamlArray }}
    {{- $own := ternary $webhooks.exceptClusterIPv6 $webhooks.exceptClusterIPv4 (contains ":" .cidr) }}
    - ipBlock:
        cidr: {{ .cidr | quote }}
        except: {{- concat .except $own | toYaml | nindent 10 }}
    {{- end }}
    {{- range splitList "," (.Values.settings.WEBHOOK_ALLOW_CIDRS | default "") }}
    {{- with trim . }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- end }}
  ports:
    {{- range $webhooks.ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- else }}
    - { protocol: TCP }
    {{- end }}
{{- end }}
{{- end -}}

{{/* Everything that a program connects to. Of (dict "root" $ "facts" facts "extra" rules). */}}
{{- define "porting.egressOf" -}}
{{- $root := .root -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- $settings := $root.Values.settings -}}
{{- $names := include "porting.variables" (list $root .facts) | fromJsonArray -}}
{{- include "porting.egressToNames" $root }}
{{- if has "DATABASE_URL" $names }}{{ include "porting.egress" (list "networkPolicy.database" $policy.database.to $policy.database.ports) }}{{ end }}
{{- if has "KAFKA_BROKERS" $names }}{{ include "porting.egress" (list "networkPolicy.kafka" $policy.kafka.to $policy.kafka.ports) }}{{ end }}
{{- if has "SCHEMA_REGISTRY_URL" $names }}{{ include "porting.egress" (list "networkPolicy.schemaRegistry" $policy.schemaRegistry.to $policy.schemaRegistry.ports) }}{{ end }}
{{- if and (has "DOCUMENTS_BUCKET" $names) $root.Values.documents.bucket.name }}{{ include "porting.egress" (list "networkPolicy.bucket" $policy.bucket.to $policy.bucket.ports) }}{{ end }}
{{- /* Who waits for the scanner asks it; the desk has to know only whether there is one. */}}
{{- if and (has "CLAMD_TIMEOUT" $names) $settings.CLAMD_URL }}{{ include "porting.egress" (list "networkPolicy.clamd" $policy.clamd.to $policy.clamd.ports) }}{{ end }}
{{- if and (has "WEBHOOK_NAME_SERVERS" $names) $settings.WEBHOOK_NAME_SERVERS }}{{ include "porting.egressToNameServers" $settings.WEBHOOK_NAME_SERVERS }}{{ end }}
{{- if has "WEBHOOK_PROXY_URL" $names }}{{ include "porting.egressToReceivers" $root }}{{ end }}
{{- if and (has "SMTP_URL" $names) $root.Values.smtp.secret }}{{ include "porting.egress" (list "networkPolicy.smtp" $policy.smtp.to $policy.smtp.ports) }}{{ end }}
{{- with concat $policy.extraEgress (.extra | default list) }}
{{ toYaml . }}
{{- end }}
{{- end -}}
