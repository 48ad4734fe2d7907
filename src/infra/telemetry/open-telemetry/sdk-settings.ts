import { diag } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import { ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/**
 * The share of traces that the server sends by default. The caller or `OTEL_TRACES_SAMPLER` can override this share.
 */
const DEFAULT_RATIO = 0.1

/**
 * Returns the default option for the share of traces to send. If the environment variable `OTEL_TRACES_SAMPLER` is set,
 * returns no option, because OpenTelemetry reads this variable itself.
 */
export const samplerOptions = () =>
  getStringFromEnv('OTEL_TRACES_SAMPLER') === undefined
    ? { sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(DEFAULT_RATIO) }) }
    : {}

/**
 * The default sizes of the queue of finished tracing spans and of one batch. A busy server that sends all traces
 * creates five thousand spans in a second. This number would fill the default queue of OpenTelemetry (2,048 spans) in
 * half a second.
 */
const [DEFAULT_QUEUE_SIZE, DEFAULT_BATCH_SIZE] = [8_192, 1_024]

/**
 * Returns the maximum number of tracing spans in the queue and in one batch. The minimum is 1, because OpenTelemetry
 * would loop forever with a batch size of 0.
 */
export function batchOptions() {
  const maxQueueSize = wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', 1, DEFAULT_QUEUE_SIZE)
  return {
    maxQueueSize,
    maxExportBatchSize: wholeNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, Math.min(DEFAULT_BATCH_SIZE, maxQueueSize)),
  }
}

/**
 * Returns the limits for the attributes of a tracing span. The minimum is 0, because OpenTelemetry would drop all
 * attributes with a negative limit.
 */
export const spanLimits = () => ({
  attributeCountLimit: attributeLimit('COUNT_LIMIT', 128),
  attributeValueLengthLimit: attributeLimit('VALUE_LENGTH_LIMIT', Number.POSITIVE_INFINITY),
})

const attributeLimit = (what: string, usual: number): number =>
  wholeNumber(`OTEL_SPAN_ATTRIBUTE_${what}`, 0, wholeNumber(`OTEL_ATTRIBUTE_${what}`, 0, usual))

/**
 * Reads a number from an environment variable of OpenTelemetry. If the value is unusable, logs a warning and returns
 * the default.
 */
function wholeNumber(name: string, least: number, usual: number): number {
  const value = getNumberFromEnv(name)
  if (value === undefined) return usual
  if (Number.isSafeInteger(value) && value >= least) return value
  diag.warn(`${name}=${value} is not a whole number of at least ${least}, defaulting to ${usual}.`)
  return usual
}
