import { type Context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../../../package.json' with { type: 'json' }
import { MINUTE } from '../../time/time-units.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import type { Tracer } from '../tracing.ts'
import { batchOptions, samplerOptions, spanLimits } from './sdk-settings.ts'
import { currentSpan, TracedSpan } from './traced-span.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }

/**
 * Creates a function that reports the same failure at most once a minute. Otherwise, a broken trace collector would
 * cause one report for each batch of tracing spans.
 */
function throttleRepeats(say: (reason: string) => void): (message: string) => void {
  let [last, saidAt] = ['', 0]
  return (message) => {
    const reason = message.slice(0, MAX_REASON_CHARACTERS)
    if (reason === last && performance.now() - saidAt < MINUTE) return
    ;[last, saidAt] = [reason, performance.now()]
    say(reason)
  }
}

const MAX_REASON_CHARACTERS = 300

/** How long a stopping server waits for the trace collector to receive the last spans, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 2_000
const tooLate = () => new Error('The collector did not accept the remaining spans in time.')

interface ClosableTracer extends Tracer {
  close(): Promise<void>
}

/**
 * Creates a tracer that uses the OpenTelemetry SDK. The SDK selects, batches and sends the spans. It reads its own
 * environment variables.
 */
export function openTelemetry(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn'>): ClosableTracer {
  const warn = throttleRepeats((reason) => log.warn({ reason }, 'Traces cannot be sent to the collector.'))
  const mute = () => {}
  diag.setLogger({ error: warn, warn, info: mute, debug: mute, verbose: mute }, DiagLogLevel.WARN)
  const serverResource = resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version })
  const resource = defaultResource()
    .merge(serverResource)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({
    resource,
    spanLimits: spanLimits(),
    spanProcessors: [new BatchSpanProcessor(exporter, batchOptions())],
    ...samplerOptions(),
  })
  const otel = provider.getTracer(manifest.name, manifest.version)
  return {
    begin(start) {
      const { name, kind, parent, attributes = {} } = start
      const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }
      return new TracedSpan(otel.startSpan(name, options, parentContext(parent)), start)
    },
    currentTraceparent() {
      const context = currentSpan()?.otel.spanContext()
      return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags}`
    },
    note: (attributes) => currentSpan()?.note(attributes),
    isSampled: () => currentSpan()?.otel.spanContext().traceFlags === TraceFlags.SAMPLED,
    // An error of the OpenTelemetry SDK must not prevent the other steps of the shutdown.
    close: () => withTimeout(provider.shutdown(), SHUTDOWN_TIMEOUT_MS, tooLate).catch((error) => warn(`${error}`)),
  }
}

/** Returns the parent of a new tracing span: the span in `traceparent` if it is valid, or else the current span. */
function parentContext(traceparent: string | undefined): Context {
  const remote = traceparent === undefined ? null : parseTraceParent(traceparent)
  if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
  const local = currentSpan()
  return local ? trace.setSpan(ROOT_CONTEXT, local.otel) : ROOT_CONTEXT
}
