/** Names and numbers, never content: other parties store the traces. */
export type Attributes = Record<string, string | number | undefined>

/** The start of a span. */
export interface Step {
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
  begin(step: Step): Span
  /** The current span in W3C Trace Context form; undefined without one. */
  underway(): string | undefined
  note(attributes: Attributes): void
  /** Whether the current trace is sampled. */
  isKept(): boolean
}

let tracer: Tracer | undefined

export const traceWith = (one: Tracer | undefined): void => {
  tracer = one
}

/** Undefined where tracing is off. */
export const tracing = (): Tracer | undefined => tracer

export const stepUnderway = (): string | undefined => tracer?.underway()

/** The trace context for an outgoing call: as headers, or as members of `_meta`. */
export function stepPassedOn(): { traceparent?: string } {
  const traceparent = stepUnderway()
  return traceparent === undefined ? {} : { traceparent }
}

/** Runs the work in a span. Without tracing the work runs directly. */
export const traced = <T>(step: () => Step, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? spanning(tracer.begin(step()), work) : work()

/** The same for a detail that matters only in a sampled trace. */
export const tracedPart = <T>(step: () => Step, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer?.isKept() ? spanning(tracer.begin(step()), work) : work()

async function spanning<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
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
