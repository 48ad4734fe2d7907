/** What is demanded of a host, as libpq names it; its other demands are refused. */
const DEMANDS = ['any', 'read-write', 'read-only'] as const
export type Demand = (typeof DEMANDS)[number]

/** A connection string that names several hosts, as libpq reads it: one string for each, and which of them is meant. */
export interface Hosts {
  urls: string[]
  demand: Demand
}

/** The scheme, who comes, the hosts, and the rest. */
const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(.*)$/

export function isDatabaseUrl(text: string): boolean {
  const { urls, demand } = takenApart(text)
  // An @ behind the hosts ends a password with a /, a ? or a # in it, and a # begins nothing that PostgreSQL knows.
  if (/[@#]/.test(FORM.exec(text)?.[4] ?? '')) return false
  return urls.length > 0 && urls.every((url) => URL.canParse(url)) && DEMANDS.some((known) => known === demand)
}

export function hostsOf(text: string): Hosts {
  const { urls, demand } = takenApart(text)
  return { urls, demand: DEMANDS.find((known) => known === demand) ?? 'any' }
}

/** Where it leads, for people: never as whom. */
export const placesOf = (text: string): string =>
  hostsOf(text)
    .urls.map((url) => new URL(url))
    .map(({ hostname, port }) => `${hostname}:${port || 5432}`)
    .join(', ')

/** Another database of the same hosts. */
export const besideDatabase = (text: string, name: string): string =>
  text.replace(FORM, (_, scheme, who, hosts, rest) =>
    [scheme, who === undefined ? '' : `${who}@`, hosts, rest.replace(/^[^?]*/, `/${name}`)].join(''),
  )

function takenApart(text: string): { urls: string[]; demand: string } {
  const [, scheme, who, hosts = '', rest = ''] = FORM.exec(text) ?? []
  const urls = scheme ? hosts.split(',').map((host) => `${scheme}${who ? `${who}@` : ''}${host}${rest}`) : []
  const query = new URLSearchParams(rest.split('?')[1])
  return { urls, demand: query.get('target_session_attrs') ?? 'any' }
}
