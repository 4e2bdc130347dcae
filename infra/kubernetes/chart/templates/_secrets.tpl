{{/* One variable from a Secret. Of (list "NAME" "secret" "key"). */}}
{{- define "porting.fromSecret" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
{{- end -}}

{{/*
The address of the database. The kubelet puts the password in, which the variable before it has.
Of (dict "root" $ "login" login).
*/}}
{{- define "porting.databaseUrl" -}}
{{- $database := .root.Values.database -}}
{{- $query := printf "sslmode=%s" $database.sslMode -}}
{{- if and $database.ca.secret (ne $database.sslMode "disable") -}}
{{- $query = printf "%s&sslrootcert=/etc/porting/database-ca/ca.crt" $query -}}
{{- end -}}
{{ include "porting.fromSecret" (list "DATABASE_PASSWORD" .login.database.secret .login.database.key) }}
- name: DATABASE_URL
  value: {{ printf "postgresql://%s:$(DATABASE_PASSWORD)@%s:%d/%s?%s" .login.database.user $database.host (int $database.port) $database.name $query | quote }}
{{- end -}}

{{/* The secret variables that a program reads. Of (dict "root" $ "facts" facts "login" login). */}}
{{- define "porting.secretVariables" -}}
{{- $values := .root.Values -}}
{{- $names := include "porting.variables" (list .root .facts) | fromJsonArray -}}
{{- $found := list -}}
{{- if has "DATABASE_URL" $names -}}
{{- $found = append $found (include "porting.databaseUrl" .) -}}
{{- end -}}
{{- if and (has "KAFKA_SASL_PASSWORD" $names) $values.kafka.sasl.mechanism -}}
{{- $secret := printf "%s%s" $values.kafka.sasl.passwords.secretPrefix .login.kafka.name -}}
{{- $found = append $found (include "porting.fromSecret" (list "KAFKA_SASL_PASSWORD" $secret $values.kafka.sasl.passwords.key)) -}}
{{- end -}}
{{- if and (has "SCHEMA_REGISTRY_PASSWORD" $names) (or .registryUser $values.schemaRegistry.username) -}}
{{- $password := ternary $values.schemaRegistry.writer.password $values.schemaRegistry.password (not (empty .registryUser)) -}}
{{- $found = append $found (include "porting.fromSecret" (list "SCHEMA_REGISTRY_PASSWORD" $password.secret $password.key)) -}}
{{- end -}}
{{- if has "SECRETS_KEY" $names -}}
{{- $found = append $found (include "porting.fromSecret" (list "SECRETS_KEY" $values.secretsKey.secret $values.secretsKey.key)) -}}
{{- end -}}
{{- $bucket := $values.documents.bucket -}}
{{- if and (has "DOCUMENTS_BUCKET" $names) $bucket.name $bucket.credentials.secret -}}
{{- $found = append $found (include "porting.fromSecret" (list "DOCUMENTS_BUCKET_KEY_ID" $bucket.credentials.secret $bucket.credentials.keyIdKey)) -}}
{{- $found = append $found (include "porting.fromSecret" (list "DOCUMENTS_BUCKET_SECRET_KEY" $bucket.credentials.secret $bucket.credentials.secretKeyKey)) -}}
{{- end -}}
{{- $proxy := $values.networkPolicy.webhooks.proxy -}}
{{- if and (has "WEBHOOK_PROXY_URL" $names) $proxy.secret -}}
{{- $found = append $found (include "porting.fromSecret" (list "WEBHOOK_PROXY_URL" $proxy.secret $proxy.key)) -}}
{{- end -}}
{{- if and (has "SMTP_URL" $names) $values.smtp.secret -}}
{{- $found = append $found (include "porting.fromSecret" (list "SMTP_URL" $values.smtp.secret $values.smtp.key)) -}}
{{- end -}}
{{- join "\n" $found -}}
{{- end -}}

{{/* The passwords that migrations give the services' roles. Of $. */}}
{{- define "porting.rolePasswords" -}}
{{- $found := list -}}
{{- range $name, $facts := (.Files.Get "files/programs.yaml" | fromYaml).services -}}
{{- if has "database" $facts.groups -}}
{{- $variable := printf "%s_PASSWORD" (upper $name | replace "-" "_") -}}
{{- $secret := printf "%s%s" $.Values.database.passwords.secretPrefix $name -}}
{{- $found = append $found (include "porting.fromSecret" (list $variable $secret $.Values.database.passwords.key)) -}}
{{- end -}}
{{- end -}}
{{- join "\n" $found -}}
{{- end -}}
