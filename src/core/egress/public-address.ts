import type { Config } from '../../infra/config/config.ts'

/**
 * The host that a request must be signed for: the configured host, not the Host header. A request that was signed for
 * another server must not pass here. In development the server accepts both names of the local machine.
 */
export function publicHost(config: Config, host: string | undefined): string {
  const { hostname, port, host: configuredHost } = baseOf(config)
  const isOwnMachine = config.mode === 'development' && hostname === '127.0.0.1'
  return isOwnMachine && host === `localhost:${port}` ? host : configuredHost
}

export const publicOrigin = (config: Config, host: string | undefined): string =>
  `${baseOf(config).protocol}//${publicHost(config, host)}`

const bases = new WeakMap<Config, URL>()

function baseOf(config: Config): URL {
  const base = bases.get(config) ?? new URL(config.baseUrl)
  bases.set(config, base)
  return base
}
