import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { currentWork, runOperation } from '../event-loop/current-operation.ts'
import type { Attributes, Span } from '../tracing.ts'
import { randomHex } from './random-hex.ts'

/** The resource and scope of the spans, and the receiver of finished spans. */
interface SpanSource extends Pick<ReadableSpan, 'resource' | 'instrumentationScope'> {
  tell(step: OtelSpan): void
}

type SpanIdentity = Pick<ReadableSpan, 'name' | 'kind' | 'attributes'> & Pick<SpanContext, 'traceId' | 'traceFlags'>

const NO_ITEMS: never[] = []
export const newTraceId = () => randomHex(32)

/** A span as the exporters read it. It stores little more than two timestamps, and computes the rest when it is sent. */
export class OtelSpan implements Span, ReadableSpan, SpanContext {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly traceFlags: number
  readonly parentSpanContext?: SpanContext
  attributes: ReadableSpan['attributes']
  droppedAttributesCount = 0
  readonly #source: SpanSource
  readonly #began = performance.now()
  /** Milliseconds between the wall clock and the monotonic clock. All local spans of a trace share it. */
  readonly #ahead: number
  #ended = 0
  #isFailed = false
  #spanId = ''
  #isOwn = false

  constructor(source: SpanSource, what: SpanIdentity, parent: SpanContext | undefined) {
    this.#source = source
    this.name = what.name
    this.kind = what.kind
    this.attributes = what.attributes
    this.traceId = what.traceId
    this.traceFlags = what.traceFlags
    if (parent) this.parentSpanContext = parent
    this.#ahead = parent instanceof OtelSpan ? parent.#ahead : Date.now() - this.#began
  }

  within<T>(work: () => T): T {
    // A client span (a database statement) has no child spans.
    if (this.kind === SpanKind.CLIENT) return work()
    return runOperation({ operation: currentWork()?.operation ?? this.name, step: this }, work)
  }

  note(attributes: Attributes): void {
    // Many spans may share the initial attributes object: copies it before the first change.
    if (!this.#isOwn) this.attributes = { ...this.attributes }
    this.#isOwn = true
    for (const name in attributes) if (attributes[name] !== undefined) this.attributes[name] = attributes[name]
  }

  end(isFailed = false): void {
    this.#ended = performance.now()
    this.#isFailed = isFailed
    if (this.traceFlags === TraceFlags.SAMPLED) this.#source.tell(this)
  }

  get spanId(): string {
    this.#spanId ||= randomHex(16)
    return this.#spanId
  }

  get startTime(): HrTime {
    return millisToHrTime(this.#began + this.#ahead)
  }

  get endTime(): HrTime {
    return millisToHrTime(this.#ended + this.#ahead)
  }

  get duration(): HrTime {
    return millisToHrTime(this.#ended - this.#began)
  }

  get ended(): boolean {
    return this.#ended > 0
  }

  get status() {
    return { code: this.#isFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET }
  }

  get links() {
    return NO_ITEMS
  }

  get events() {
    return NO_ITEMS
  }

  get droppedEventsCount() {
    return 0
  }

  get droppedLinksCount() {
    return 0
  }

  get resource() {
    return this.#source.resource
  }

  get instrumentationScope() {
    return this.#source.instrumentationScope
  }

  spanContext(): SpanContext {
    return this
  }
}

export function currentSpan(): OtelSpan | undefined {
  const step = currentWork()?.step
  return step instanceof OtelSpan ? step : undefined
}
