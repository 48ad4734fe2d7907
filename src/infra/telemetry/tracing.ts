/** Names and numbers, never content: other parties store the traces. */
export type Attributes = Record<string, string | number | undefined>

/** The start of a span. */
export interface SpanStart {
  name: string
  kind?: 'server' | 'client' | 'producer'
  /** A remote parent in W3C Trace Context form. Without it, the current span is the parent. */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

export interface Span {
  /** Makes this the current span while the work runs. */
  within<T>(work: () => T): T
  note(attributes: Attributes): void
  end(isFailed?: boolean): void
}

export interface Tracer {
  begin(step: SpanStart): Span
  /** The current span in W3C Trace Context form; undefined without one. */
  currentTraceparent(): string | undefined
  note(attributes: Attributes): void
  /** Whether the current trace is sampled. */
  isSampled(): boolean
}

let tracer: Tracer | undefined

export const setTracer = (one: Tracer | undefined): void => {
  tracer = one
}

/** Undefined where tracing is off. */
export const tracing = (): Tracer | undefined => tracer

export const currentTraceparent = (): string | undefined => tracer?.currentTraceparent()

/** The trace context for an outgoing call: as headers, or as members of `_meta`. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

/** Runs the work in a span. Without tracing the work runs directly. */
export const traced = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? runInSpan(tracer.begin(step()), work) : work()

/** The same for a detail that matters only in a sampled trace. */
export const tracedDetail = <T>(step: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer?.isSampled() ? runInSpan(tracer.begin(step()), work) : work()

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await span.within(() => work(span))
    span.end()
    return result
  } catch (error) {
    // The message of an error may quote personal data; its code does not.
    span.note({ 'error.type': codeOf(error) })
    span.end(true)
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && error.code ? String(error.code) : error.name) : typeof error
