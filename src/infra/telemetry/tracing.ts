/**
 * The attributes of a tracing span. They contain names and numbers, but no content of requests, because other companies
 * can store the traces.
 */
export type Attributes = Record<string, string | number | undefined>

/** The data that a new tracing span has at its start. */
export interface SpanStart {
  name: string
  kind?: 'server' | 'client' | 'producer'
  /**
   * The parent span in another system, in the `traceparent` format of W3C Trace Context. If `parent` is undefined, the
   * current span is the parent.
   */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

export interface Span {
  /** Runs work with this tracing span as the current span. */
  within<T>(work: () => T): T
  note(attributes: Attributes): void
  end(isFailed?: boolean): void
}

export interface Tracer {
  begin(step: SpanStart): Span
  /**
   * Returns the current tracing span in the `traceparent` format of W3C Trace Context. Returns undefined if there is no
   * current span.
   */
  currentTraceparent(): string | undefined
  note(attributes: Attributes): void
  /** Whether the current trace is selected for sending. The server sends only the spans of selected traces. */
  isSampled(): boolean
}

let tracer: Tracer | undefined

export const setTracer = (one: Tracer | undefined): void => {
  tracer = one
}

/** Returns the object that creates tracing spans. Returns undefined if tracing is off. */
export const tracing = (): Tracer | undefined => tracer

export const currentTraceparent = (): string | undefined => tracer?.currentTraceparent()

/**
 * Returns the trace context for an outgoing call. Callers send it as HTTP headers, or as properties of `_meta` in an
 * MCP message.
 */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

/** Runs work in a tracing span. If tracing is off, runs the work without a span. */
export const traced = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? runInSpan(tracer.begin(step()), work) : work()

/**
 * Runs work in its own tracing span, but only if the server sends the current trace. Otherwise, the work runs without a
 * span.
 */
export const tracedDetail = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer?.isSampled() ? runInSpan(tracer.begin(step()), work) : work()

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await span.within(() => work(span))
    span.end()
    return result
  } catch (error) {
    // The tracing span gets only the code of an error, because the error's message can quote personal data.
    span.note({ 'error.type': codeOf(error) })
    span.end(true)
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && error.code ? String(error.code) : error.name) : typeof error
