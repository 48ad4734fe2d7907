import type { Config } from '../../infra/config/read-config.ts'

/**
 * The host that a signed request must name. The host comes from the settings and not from the `Host` header, so a
 * request that was signed for another server is refused. In development, the server accepts both names of the local
 * machine.
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
