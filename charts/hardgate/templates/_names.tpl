{{- define "hardgate.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "hardgate.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "hardgate.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is needed where serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "hardgate.selector" -}}
app.kubernetes.io/name: hardgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hardgate.labels" -}}
{{ include "hardgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "hardgate.claim" -}}
{{- default (printf "%s-data" (include "hardgate.fullname" .)) .Values.persistence.existingClaim -}}
{{- end -}}

{{- define "hardgate.endpoint" -}}
http://{{ include "hardgate.fullname" . }}.{{ .Release.Namespace }}.svc{{ if ne (int .Values.service.port) 80 }}:{{ .Values.service.port }}{{ end }}
{{- end -}}
