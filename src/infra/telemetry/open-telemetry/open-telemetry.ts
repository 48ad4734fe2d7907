import { DiagLogLevel, diag, SpanKind, TraceFlags } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../../../package.json' with { type: 'json' }
import { MINUTE } from '../../time/units.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import type { Tracer } from '../tracing.ts'
import { attributeLimits } from './attribute-limits.ts'
import { currentSpan, newTraceId, OtelSpan } from './otel-span.ts'
import { sampling } from './sampling.ts'
import { spanContextOf, traceparentOf } from './traceparent.ts'
import { wholeNumber } from './whole-number.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }

/** A failing collector causes an error with each batch. Logs the same reason at most once a minute. */
function throttleRepeats(say: (reason: string) => void): (what: string) => void {
  let [last, saidAt] = ['', 0]
  return (what) => {
    const reason = what.slice(0, MAX_REASON_CHARACTERS)
    if (reason === last && performance.now() - saidAt < MINUTE) return
    ;[last, saidAt] = [reason, performance.now()]
    say(reason)
  }
}

const MAX_REASON_CHARACTERS = 300

/** Milliseconds that a stopping server waits for the collector. */
const SHUTDOWN_TIMEOUT_MS = 2_000
const tooLate = () => new Error('The collector did not take what was left in time.')

/**
 * Defaults for the queue of finished spans and for one batch. A busy server makes five thousand spans a second, which would
 * overflow the SDK's queue of 2,048 in half a second. The overhead of batches of 512 is a ninth of the tracing cost.
 */
const [DEFAULT_QUEUE_SIZE, DEFAULT_BATCH_SIZE] = [8_192, 1_024]

/** At least 1: with a batch size of 0 the SDK would loop forever and send nothing. */
function batchOptions() {
  const maxQueueSize = wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', 1, DEFAULT_QUEUE_SIZE)
  return {
    maxQueueSize,
    maxExportBatchSize: wholeNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, Math.min(DEFAULT_BATCH_SIZE, maxQueueSize)),
  }
}

interface ClosableTracer extends Tracer {
  close(): Promise<void>
}

/**
 * A tracer for OpenTelemetry. Its SDK samples by environment variables, batches and sends. The spans are our own class,
 * because the SDK's spans cost each request several times more.
 */
export function openTelemetry(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn'>): ClosableTracer {
  const warn = throttleRepeats((reason) => log.warn({ reason }, 'Traces cannot be sent to the collector.'))
  const mute = () => {}
  diag.setLogger({ error: warn, warn, info: mute, debug: mute, verbose: mute }, DiagLogLevel.WARN)
  const ours = resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version })
  const resource = defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor(exporter, batchOptions())
  const isSampled = sampling()
  const limit = attributeLimits()
  const source = {
    resource,
    instrumentationScope: { name: manifest.name, version: manifest.version },
    tell(step: OtelSpan) {
      limit?.(step)
      processor.onEnd(step)
    },
  }
  return {
    begin({ name, kind, parent, attributes = {} }) {
      const remote = parent === undefined ? undefined : spanContextOf(parent)
      const local = remote ? undefined : currentSpan()
      const traceId = (remote ?? local)?.traceId ?? newTraceId()
      const traceFlags = local?.traceFlags ?? Number(isSampled(traceId, remote))
      const what = { name, kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes, traceId, traceFlags }
      return new OtelSpan(source, what, remote ?? local)
    },
    currentTraceparent() {
      const step = currentSpan()
      return step && traceparentOf(step)
    },
    note: (attributes) => currentSpan()?.note(attributes),
    isSampled: () => currentSpan()?.traceFlags === TraceFlags.SAMPLED,
    // An error here must not stop the rest of the shutdown.
    close: () => withTimeout(processor.shutdown(), SHUTDOWN_TIMEOUT_MS, tooLate).catch((error) => warn(`${error}`)),
  }
}
