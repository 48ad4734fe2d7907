import type { SpanContext } from '@opentelemetry/api'

/** Later versions may append fields. W3C forbids version `ff`. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

export function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', more = ''] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === '' || (version === '00' && more !== '')) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`
