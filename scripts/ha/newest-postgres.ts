import { existsSync, readdirSync } from 'node:fs'

const ALL = '/usr/lib/postgresql'

export function newestPostgres(): string | undefined {
  const versions = existsSync(ALL) ? readdirSync(ALL).map(Number).filter(Number.isFinite) : []
  return versions
    .toSorted((one, other) => other - one)
    .map((version) => `${ALL}/${version}/bin`)
    .find((programs) => existsSync(`${programs}/postgres`))
}
