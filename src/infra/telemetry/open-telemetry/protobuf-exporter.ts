import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'

const headers = { 'Content-Type': 'application/x-protobuf' }

/**
 * Sends tracing spans in the protobuf format. The class of OpenTelemetry for this purpose would need one more npm
 * package.
 */
export const protobufExporter = (): SpanExporter =>
  new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', headers),
      ProtobufTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  )
