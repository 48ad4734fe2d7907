import type { FastifyBaseLogger } from 'fastify'
import { setTracer } from '../infra/telemetry/tracing.ts'
import { PlainError } from '../infra/util/command-line-error.ts'

/**
 * Starts tracing if the environment variables of OpenTelemetry enable it. Otherwise, the server does not even load the
 * tracing modules.
 */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<(() => Promise<void>) | undefined> {
  if (!isWanted(env)) return undefined
  for (const name of ENDPOINTS) refuseUnusable(name, env[name])
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  const exporter = await exporterFor(protocol)
  const { openTelemetry } = await import('../infra/telemetry/open-telemetry/create-open-telemetry-tracer.ts')
  const { close, ...tracer } = openTelemetry(exporter, log)
  setTracer(tracer)
  return close
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']

/**
 * Refuses an unusable collector URL. Otherwise, the OpenTelemetry SDK would only log a line and send no traces. The
 * error does not show the URL, because a URL can contain a password.
 */
function refuseUnusable(name: string, endpoint = '') {
  if (endpoint === '' || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return
  throw new PlainError(`${name} is not usable: set it to an address such as http://127.0.0.1:4318.`)
}

function isWanted(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  return Boolean(endpoint) || env.OTEL_TRACES_EXPORTER === 'otlp'
}

async function exporterFor(protocol: string) {
  if (protocol === 'http/protobuf') {
    const { protobufExporter } = await import('../infra/telemetry/open-telemetry/protobuf-exporter.ts')
    return protobufExporter()
  }
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
    return new OTLPTraceExporter()
  }
  throw new PlainError(
    `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol} is not supported: set it to http/protobuf or http/json.`,
  )
}
