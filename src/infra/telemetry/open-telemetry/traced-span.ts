import { type Span as OtelSpan, SpanStatusCode } from '@opentelemetry/api'
import { currentWork, runOperation } from '../event-loop/current-operation.ts'
import type { Attributes, Span, SpanStart } from '../tracing.ts'

/** A tracing span of the OpenTelemetry SDK. `current-operation.ts` stores which span is current. */
export class TracedSpan implements Span {
  readonly otel: OtelSpan
  readonly #name: string
  readonly #kind: SpanStart['kind']

  constructor(otel: OtelSpan, { name, kind }: SpanStart) {
    this.otel = otel
    this.#name = name
    this.#kind = kind
  }

  within<T>(work: () => T): T {
    // A client span, such as the span of a database statement, never has child spans.
    if (this.#kind === 'client') return work()
    return runOperation({ operation: currentWork()?.operation ?? this.#name, step: this }, work)
  }

  note(attributes: Attributes): void {
    // The span ends when the caller closes the connection, but the work can continue. OpenTelemetry would log a warning
    // if the work changed the ended span.
    if (this.otel.isRecording()) this.otel.setAttributes(attributes)
  }

  end(isFailed = false): void {
    if (isFailed) this.otel.setStatus({ code: SpanStatusCode.ERROR })
    this.otel.end()
  }
}

export function currentSpan(): TracedSpan | undefined {
  const step = currentWork()?.step
  return step instanceof TracedSpan ? step : undefined
}
