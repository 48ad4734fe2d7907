import { DiagLogLevel, diag, SpanKind, TraceFlags } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../../../package.json' with { type: 'json' }
import { MINUTE } from '../../time/units.ts'
import { inTime } from '../../util/in-time.ts'
import type { Tracer } from '../tracing.ts'
import { attributeLimits } from './attribute-limits.ts'
import { sampling } from './sampling.ts'
import { newTraceId, stepUnderway, ToldStep } from './told-step.ts'
import { spanContextOf, traceparentOf } from './traceparent.ts'
import { wholeNumber } from './whole-number.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }

/** Of a collector that fails it is told with each batch anew: the same is said once a minute. */
function seldom(say: (reason: string) => void): (what: string) => void {
  let [last, saidAt] = ['', 0]
  return (what) => {
    const reason = what.slice(0, LONGEST)
    if (reason === last && performance.now() - saidAt < MINUTE) return
    ;[last, saidAt] = [reason, performance.now()]
    say(reason)
  }
}

const LONGEST = 300

/** Milliseconds for which the end of a server waits for a collector. */
const PATIENCE = 2_000
const tooLate = () => new Error('The collector did not take what was left in time.')

/**
 * Steps that wait for the collector, and how many it gets at once, where nothing else is said: a busy server makes five thousand a
 * second, which the SDK's 2,048 would lose in half a second, and of what tracing costs a request for each 512 is a ninth.
 */
const [MOST_WAITING, MOST_SENT] = [8_192, 1_024]

/** With none at once the SDK would send nothing, without end. */
function gathering() {
  const maxQueueSize = wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', 1, MOST_WAITING)
  return {
    maxQueueSize,
    maxExportBatchSize: wholeNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, Math.min(MOST_SENT, maxQueueSize)),
  }
}

interface OpenTracer extends Tracer {
  close(): Promise<void>
}

/**
 * Steps as OpenTelemetry has them. What is sampled, gathered and sent, and whereto, its own variables say: its SDK does
 * that, but for the steps themselves, whose spans cost each request several times as much.
 */
export function openTelemetry(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn'>): OpenTracer {
  const warn = seldom((reason) => log.warn({ reason }, 'Traces cannot be sent to the collector.'))
  const mute = () => {}
  diag.setLogger({ error: warn, warn, info: mute, debug: mute, verbose: mute }, DiagLogLevel.WARN)
  const ours = resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version })
  const resource = defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor(exporter, gathering())
  const isSampled = sampling()
  const limit = attributeLimits()
  const source = {
    resource,
    instrumentationScope: { name: manifest.name, version: manifest.version },
    tell(step: ToldStep) {
      limit?.(step)
      processor.onEnd(step)
    },
  }
  return {
    begin({ name, kind, parent, attributes = {} }) {
      const remote = parent === undefined ? undefined : spanContextOf(parent)
      const local = remote ? undefined : stepUnderway()
      const traceId = (remote ?? local)?.traceId ?? newTraceId()
      const traceFlags = local?.traceFlags ?? Number(isSampled(traceId, remote))
      const what = { name, kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes, traceId, traceFlags }
      return new ToldStep(source, what, remote ?? local)
    },
    underway() {
      const step = stepUnderway()
      return step && traceparentOf(step)
    },
    note: (attributes) => stepUnderway()?.note(attributes),
    isKept: () => stepUnderway()?.traceFlags === TraceFlags.SAMPLED,
    // Whoever ends the server has more to end than this.
    close: () => inTime(processor.shutdown(), PATIENCE, tooLate).catch((error) => warn(`${error}`)),
  }
}
