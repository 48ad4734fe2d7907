import { diag, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from '@opentelemetry/api'
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'

/** Whether a trace that begins here, or goes on from somebody else's step, is kept. Its parts are as it is. */
export function sampling(): (traceId: string, remote: SpanContext | undefined) => boolean {
  const sampler = samplerNamed(getStringFromEnv('OTEL_TRACES_SAMPLER') ?? USUAL)
  return (traceId, remote) => {
    const from = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
    const { decision } = sampler.shouldSample(from, traceId, '', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
}

const USUAL = 'parentbased_always_on'

/** The SDK keeps its own reading of these names to itself. */
function samplerNamed(name: string): Sampler {
  const [, basis, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (root === undefined) {
    diag.error(`OTEL_TRACES_SAMPLER value "${name}" invalid, defaulting to "${USUAL}".`)
    return samplerNamed(USUAL)
  }
  const sampler = rootSampler(root)
  return basis === undefined ? sampler : new ParentBasedSampler({ root: sampler })
}

function rootSampler(name: string): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(shareKept())
}

function shareKept(): number {
  const share = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG')
  if (share !== undefined && share >= 0 && share <= 1) return share
  diag.error(`OTEL_TRACES_SAMPLER_ARG=${share ?? ''} is no number from 0 to 1, defaulting to 1.`)
  return 1
}
