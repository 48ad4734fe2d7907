import { diag, ROOT_CONTEXT, type SpanContext, TraceFlags } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/** Decides for a whole trace. All spans of a trace share the decision. */
type IsSampled = (traceId: string, remote: SpanContext | undefined) => boolean

export const sampling = (): IsSampled => samplingNamed(getStringFromEnv('OTEL_TRACES_SAMPLER') ?? DEFAULT_SAMPLER)

const DEFAULT_SAMPLER = 'parentbased_always_on'

/** Parses the sampler's name. The SDK does not export its parser. */
function samplingNamed(name: string): IsSampled {
  const [, basis, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (root === undefined) {
    diag.error(`OTEL_TRACES_SAMPLER value "${name}" invalid, defaulting to "${DEFAULT_SAMPLER}".`)
    return samplingNamed(DEFAULT_SAMPLER)
  }
  const isKept = root === 'traceidratio' ? ratioSampler(sampledRatio()) : () => root === 'always_on'
  return (traceId, remote) =>
    remote && basis !== undefined ? Boolean(remote.traceFlags & TraceFlags.SAMPLED) : isKept(traceId)
}

/** Samples by trace id: all services with the same ratio choose the same traces. */
function ratioSampler(share: number): (traceId: string) => boolean {
  const sampler = new TraceIdRatioBasedSampler(share)
  return (traceId) => sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
}

function sampledRatio(): number {
  const share = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')
  if (share !== undefined && share >= 0 && share <= 1) return share
  diag.error(`OTEL_TRACES_SAMPLER_ARG=${share ?? ''} is not a number from 0 to 1, defaulting to 1.`)
  return 1
}
