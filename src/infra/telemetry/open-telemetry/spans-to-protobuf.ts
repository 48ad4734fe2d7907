import type { AttributeValue } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { memoize } from '../../util/memoize.ts'
import { Protobuf } from './protobuf.ts'

/** Spans in OTLP: opentelemetry/proto/trace/v1/trace.proto. All spans share one resource and one scope. */
export function encodeSpans(steps: readonly ReadableSpan[]): Uint8Array {
  const all = new Protobuf()
  const [first] = steps
  if (first)
    all.message(1, () => {
      all.message(1, () => writeResource(all, first))
      all.message(2, () => {
        all.message(1, () => writeScope(all, first))
        for (const step of steps) all.message(2, () => writeSpan(all, step))
      })
    })
  return all.bytes()
}

function writeResource(to: Protobuf, { resource }: ReadableSpan): void {
  for (const [name, value] of Object.entries(resource.attributes))
    if (value !== undefined) writeAttribute(to, 1, name, value)
  to.varint(2, 0)
}

function writeScope(to: Protobuf, { instrumentationScope: { name, version } }: ReadableSpan): void {
  to.text(1, name)
  if (version) to.text(2, version)
}

function writeSpan(to: Protobuf, step: ReadableSpan): void {
  const { traceId, spanId, traceFlags } = step.spanContext()
  const parent = step.parentSpanContext
  to.text(1, traceId, 'hex')
  to.text(2, spanId, 'hex')
  if (parent) to.text(4, parent.spanId, 'hex')
  to.text(5, step.name)
  to.varint(6, step.kind + 1)
  writeTime(to, 7, step.startTime)
  writeTime(to, 8, step.endTime)
  for (const name in step.attributes) {
    const value = step.attributes[name]
    if (typeof value === 'string' && value.length > MAX_CACHED_CHARACTERS) writeAttribute(to, 9, name, value)
    else if (value !== undefined) to.encodedFields(encodedAttribute(name)(value))
  }
  to.varint(10, step.droppedAttributesCount)
  to.varint(12, 0)
  to.varint(14, 0)
  to.message(15, () => to.varint(3, step.status.code))
  to.fixed32(16, traceFlags | IS_REMOTE_KNOWN | (parent?.isRemote ? IS_REMOTE : 0))
}

const IS_REMOTE_KNOWN = 0x100
const IS_REMOTE = 0x200

/** Nanoseconds since 1970 exceed a JavaScript number. Writes [seconds, nanoseconds] as two halves of 32 bits. */
function writeTime(to: Protobuf, field: number, [seconds, nanoseconds]: [number, number]): void {
  const micros = seconds * 1_000_000
  const low = (micros % TWO_32) * 1_000 + nanoseconds
  to.fixed64(field, low % TWO_32, Math.floor(micros / TWO_32) * 1_000 + Math.floor(low / TWO_32))
}

const TWO_32 = 2 ** 32

/** Characters. Longer texts rarely repeat (an id has at least 32), so their encoding is not cached. */
const MAX_CACHED_CHARACTERS = 31

const encodedAttribute = memoize(100, (name: string) =>
  memoize(1_000, (value: AttributeValue) => encodeAttribute(name, value)),
)

function encodeAttribute(name: string, value: AttributeValue): Uint8Array {
  const bytes = new Protobuf()
  writeAttribute(bytes, 9, name, value)
  return Buffer.from(bytes.bytes())
}

function writeAttribute(to: Protobuf, field: number, name: string, value: AttributeValue): void {
  to.message(field, () => {
    to.text(1, name)
    to.message(2, () => (typeof value === 'number' ? to.varint(3, value) : to.text(1, String(value))))
  })
}
