/** Names and numbers, never content: traces are kept by others. */
export type Attributes = Record<string, string | number | undefined>

/** What is to be traced. */
export interface Step {
  name: string
  kind?: 'server' | 'client' | 'producer'
  /** The step of somebody else that it belongs to, as W3C Trace Context names it; otherwise it belongs to what is under way. */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

/** A step that was begun. */
export interface Span {
  /** Whatever runs within belongs to it. */
  within<T>(work: () => T): T
  note(attributes: Attributes): void
  end(isFailed?: boolean): void
}

/** Who writes down the steps. */
export interface Tracer {
  begin(step: Step): Span
  /** What is under way, as W3C Trace Context names it; nothing where nothing is. */
  underway(): string | undefined
  /** Tells it of what is under way. */
  note(attributes: Attributes): void
  /** Whether anybody is told of what is under way. */
  isKept(): boolean
}

/** There is one for the whole process, as there is one collector. */
let tracer: Tracer | undefined

export const traceWith = (one: Tracer | undefined): void => {
  tracer = one
}

/** Nothing where nobody asked for traces. */
export const tracing = (): Tracer | undefined => tracer

export const stepUnderway = (): string | undefined => tracer?.underway()

/** What tells whoever is called of the step that they are asked in: headers, or members of `_meta`. */
export function stepPassedOn(): { traceparent?: string } {
  const traceparent = stepUnderway()
  return traceparent === undefined ? {} : { traceparent }
}

/** Does the work as a step, where steps are traced; where they are not it costs a look. */
export const traced = <T>(step: () => Step, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? spanning(tracer.begin(step()), work) : work()

/** The same for what is only worth telling as part of something, of which somebody is told. */
export const tracedPart = <T>(step: () => Step, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer?.isKept() ? spanning(tracer.begin(step()), work) : work()

async function spanning<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await span.within(() => work(span))
    span.end()
    return result
  } catch (error) {
    // What an error says may quote what people wrote; its code does not.
    span.note({ 'error.type': codeOf(error) })
    span.end(true)
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && error.code ? String(error.code) : error.name) : typeof error
