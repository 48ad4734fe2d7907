/**
 * The roles that a database connection string can require of its host. These are the supported values of
 * `target_session_attrs`, a setting of the PostgreSQL library libpq.
 */
const HOST_ROLES = ['any', 'read-write', 'read-only'] as const
export type HostRole = (typeof HOST_ROLES)[number]

/**
 * The parts of a database connection string with several hosts: one URL for each host, and the role that the host must
 * have.
 */
export interface Hosts {
  urls: string[]
  role: HostRole
}

/**
 * Matches a database connection string. The groups are the scheme, the user with the password, the hosts, and the rest.
 */
const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(.*)$/

export function isDatabaseUrl(text: string): boolean {
  const { urls, demand } = parseHosts(text)
  // If an `@` follows the hosts of a database URL, the password contains an unescaped `/`, `?` or `#`. A PostgreSQL URL
  // has no fragment, so a `#` is wrong too.
  if (/[@#]/.test(FORM.exec(text)?.[4] ?? '')) return false
  return urls.length > 0 && urls.every((url) => URL.canParse(url)) && HOST_ROLES.some((known) => known === demand)
}

export function hostsOf(text: string): Hosts {
  const { urls, demand } = parseHosts(text)
  return { urls, role: HOST_ROLES.find((known) => known === demand) ?? 'any' }
}

/** Returns the hosts and ports of a database connection string for messages, without the user and password. */
export const describeHosts = (text: string): string =>
  hostsOf(text)
    .urls.map((url) => new URL(url))
    .map(({ hostname, port }) => `${hostname}:${port || 5432}`)
    .join(', ')

export function withDatabase(text: string, name: string): string {
  const parts = FORM.exec(text)
  if (!parts) return text
  const [, scheme, user, hosts, rest = ''] = parts
  return [scheme, user === undefined ? '' : `${user}@`, hosts, rest.replace(/^[^?]*/, `/${name}`)].join('')
}

function parseHosts(text: string): { urls: string[]; demand: string } {
  const [, scheme, user, hosts = '', rest = ''] = FORM.exec(text) ?? []
  const urls = scheme ? hosts.split(',').map((host) => `${scheme}${user ? `${user}@` : ''}${host}${rest}`) : []
  const query = new URLSearchParams(rest.split('?')[1])
  return { urls, demand: query.get('target_session_attrs') ?? 'any' }
}
