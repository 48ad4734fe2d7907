import type { OtelSpan } from './otel-span.ts'
import { wholeNumber } from './whole-number.ts'

/** Applies OpenTelemetry's environment variables for the number and length of attributes. Undefined where none is set. */
export function attributeLimits(): ((step: OtelSpan) => void) | undefined {
  const [most, longest] = [limit('COUNT_LIMIT'), limit('VALUE_LENGTH_LIMIT')]
  if (most === undefined && longest === undefined) return undefined
  return (step) => {
    const all = Object.entries(step.attributes)
    const kept = all.slice(0, most)
    step.attributes = Object.fromEntries(
      kept.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, longest) : value]),
    )
    step.droppedAttributesCount = all.length - kept.length
  }
}

const limit = (what: string): number | undefined =>
  wholeNumber(`OTEL_SPAN_ATTRIBUTE_${what}`, 0, undefined) ?? wholeNumber(`OTEL_ATTRIBUTE_${what}`, 0, undefined)
