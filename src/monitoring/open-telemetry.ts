import {
  context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import type { Span, Tracer } from './tracing.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }

interface OpenTracer extends Tracer {
  close(): Promise<void>
}

/** Steps as OpenTelemetry has them. What is sampled, gathered and sent, and whereto, its own variables say. */
export function openTelemetry(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn'>): OpenTracer {
  const warn = (what: string) => log.warn({ reason: what.slice(0, 300) }, 'tracing')
  const mute = () => {}
  diag.setLogger({ error: warn, warn, info: mute, debug: mute, verbose: mute }, DiagLogLevel.WARN)
  const ours = resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version })
  const resource = defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register({ propagator: new W3CTraceContextPropagator() })
  const otel = provider.getTracer(manifest.name, manifest.version)
  return {
    begin({ name, kind, parent, attributes = {} }) {
      const from = (parent !== undefined && contextOf(parent)) || context.active()
      return spanOf(otel.startSpan(name, { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }, from))
    },
    underway: () => traceparentOf(trace.getActiveSpan()),
    isKept: () => Boolean((trace.getActiveSpan()?.spanContext().traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED),
    close: () => provider.shutdown(),
  }
}

const spanOf = (span: OtelSpan): Span => ({
  within: (work) => context.with(trace.setSpan(context.active(), span), work),
  note: (attributes) => void span.setAttributes(attributes),
  end(isFailed = false) {
    if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  },
})

/** Of the only version that there is; whatever is longer than it is not that. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === '') return undefined
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true })
}

function traceparentOf(span: OtelSpan | undefined): string | undefined {
  if (!span) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`
}
