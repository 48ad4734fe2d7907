import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import { encodeSpans } from './spans-to-protobuf.ts'

const headers = { 'Content-Type': 'application/x-protobuf' }

/** The SDK's exporter with our serializer: the SDK's takes three times longer for the same bytes (docs/decisions/0103). */
export const protobufExporter = (): SpanExporter =>
  new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', headers),
      { ...ProtobufTraceSerializer, serializeRequest: encodeSpans },
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  )
