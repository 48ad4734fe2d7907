import type { Config } from '../../infra/config/read-config.ts'

/**
 * Returns the host name that a signed request to this server must contain. The name comes from the settings and not
 * from the `Host` header. Therefore the server refuses a request that was signed for another server. In development,
 * `localhost` and `127.0.0.1` are both accepted.
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
