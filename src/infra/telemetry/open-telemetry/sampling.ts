import { diag, ROOT_CONTEXT, type SpanContext, TraceFlags } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/** Whether a trace is kept. Its parts are as it is. */
type Sampling = (traceId: string, remote: SpanContext | undefined) => boolean

/** Of one that begins here, or goes on from somebody else's step. */
export const sampling = (): Sampling => samplingNamed(getStringFromEnv('OTEL_TRACES_SAMPLER') ?? USUAL)

const USUAL = 'parentbased_always_on'

/** The SDK keeps its own reading of these names to itself. */
function samplingNamed(name: string): Sampling {
  const [, basis, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (root === undefined) {
    diag.error(`OTEL_TRACES_SAMPLER value "${name}" invalid, defaulting to "${USUAL}".`)
    return samplingNamed(USUAL)
  }
  const isKept = root === 'traceidratio' ? oneIn(shareKept()) : () => root === 'always_on'
  return (traceId, remote) =>
    remote && basis !== undefined ? Boolean(remote.traceFlags & TraceFlags.SAMPLED) : isKept(traceId)
}

/** Which they are everybody decides alike, by their ids. */
function oneIn(share: number): (traceId: string) => boolean {
  const sampler = new TraceIdRatioBasedSampler(share)
  return (traceId) => sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
}

function shareKept(): number {
  const share = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')
  if (share !== undefined && share >= 0 && share <= 1) return share
  diag.error(`OTEL_TRACES_SAMPLER_ARG=${share ?? ''} is no number from 0 to 1, defaulting to 1.`)
  return 1
}
