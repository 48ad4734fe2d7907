/** The attributes of a span: names and numbers, but no content, because other companies may store traces. */
export type Attributes = Record<string, string | number | undefined>

/** The data at the start of a span. */
export interface SpanStart {
  name: string
  kind?: 'server' | 'client' | 'producer'
  /**
   * The remote parent of the span, as a `traceparent` of W3C Trace Context. If it is undefined, the current span is the
   * parent.
   */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

export interface Span {
  /** Runs work with this span as the current span. */
  within<T>(work: () => T): T
  note(attributes: Attributes): void
  end(isFailed?: boolean): void
}

export interface Tracer {
  begin(step: SpanStart): Span
  /** Returns the current span as a `traceparent` of W3C Trace Context. Returns undefined if no span is current. */
  currentTraceparent(): string | undefined
  note(attributes: Attributes): void
  /** Whether the current trace is sampled. The server sends only the spans of sampled traces. */
  isSampled(): boolean
}

let tracer: Tracer | undefined

export const setTracer = (one: Tracer | undefined): void => {
  tracer = one
}

/** Returns the current tracer. Returns undefined if tracing is off. */
export const tracing = (): Tracer | undefined => tracer

export const currentTraceparent = (): string | undefined => tracer?.currentTraceparent()

/** Returns the trace context for an outgoing call, either as headers or as members of `_meta`. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

/** Runs work in a span. If tracing is off, runs the work without a span. */
export const traced = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? runInSpan(tracer.begin(step()), work) : work()

/** Runs work in a span, but only if the current trace is sampled. Details do not matter in other traces. */
export const tracedDetail = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer?.isSampled() ? runInSpan(tracer.begin(step()), work) : work()

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await span.within(() => work(span))
    span.end()
    return result
  } catch (error) {
    // The span gets only the code of an error, because the message may quote personal data.
    span.note({ 'error.type': codeOf(error) })
    span.end(true)
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && error.code ? String(error.code) : error.name) : typeof error
