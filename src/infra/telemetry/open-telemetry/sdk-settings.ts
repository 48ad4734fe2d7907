import { diag } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import { ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/**
 * The share of traces that the server sends by default. The caller or `OTEL_TRACES_SAMPLER` can override this share.
 */
const DEFAULT_RATIO = 0.1

/** Returns the sampler option of the OpenTelemetry SDK. If it is undefined, the SDK reads `OTEL_TRACES_SAMPLER`. */
export const samplerOptions = () =>
  getStringFromEnv('OTEL_TRACES_SAMPLER') === undefined
    ? { sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(DEFAULT_RATIO) }) }
    : {}

/**
 * The default sizes of the queue of finished tracing spans and of one batch. A busy server that sends all traces
 * creates five thousand spans in a second. The default queue of the SDK (2,048) would be full in half a second.
 */
const [DEFAULT_QUEUE_SIZE, DEFAULT_BATCH_SIZE] = [8_192, 1_024]

/**
 * Returns how many tracing spans a queue and a batch can hold. With a batch size of 0, the SDK would never end its
 * loop.
 */
export function batchOptions() {
  const maxQueueSize = wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', 1, DEFAULT_QUEUE_SIZE)
  return {
    maxQueueSize,
    maxExportBatchSize: wholeNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, Math.min(DEFAULT_BATCH_SIZE, maxQueueSize)),
  }
}

/**
 * Returns the limits for the attributes of a tracing span. With a negative limit, the SDK would drop all attributes.
 */
export const spanLimits = () => ({
  attributeCountLimit: attributeLimit('COUNT_LIMIT', 128),
  attributeValueLengthLimit: attributeLimit('VALUE_LENGTH_LIMIT', Number.POSITIVE_INFINITY),
})

const attributeLimit = (what: string, usual: number): number =>
  wholeNumber(`OTEL_SPAN_ATTRIBUTE_${what}`, 0, wholeNumber(`OTEL_ATTRIBUTE_${what}`, 0, usual))

/**
 * Reads a number from an environment variable of OpenTelemetry. If it is unusable, logs a warning and returns the
 * default.
 */
function wholeNumber(name: string, least: number, usual: number): number {
  const value = getNumberFromEnv(name)
  if (value === undefined) return usual
  if (Number.isSafeInteger(value) && value >= least) return value
  diag.warn(`${name}=${value} is not a whole number of at least ${least}, defaulting to ${usual}.`)
  return usual
}
