import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { imports } from '../hostile/source.ts'

interface Listed {
  SPDXID: string
  name: string
  versionInfo: string
  checksums?: { checksumValue: string }[]
}

const { packages, relationships }: { packages: Listed[]; relationships: { relatedSpdxElement: string }[] } = JSON.parse(
  execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
)
const [server, ...contained] = packages

test('[SBOM] lists each package that the sources import, and no tool of the development', () => {
  const names = contained.map(({ name }) => name)
  const imported = imports.flatMap(({ name }) => /^(?!node:)(@[^/ ]+\/)?[^/. ][^/ ]*/.exec(name)?.[0] ?? [])
  expect([...new Set(imported)].filter((name) => !names.includes(name))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['@fastify/swagger-ui', 'fastify', 'find-my-way', 'pg', 'pg-protocol']))
  expect(names.filter((name) => name.startsWith('@img/')).toSorted()).toEqual([
    '@img/colour',
    '@img/sharp-libvips-linux-arm64',
    '@img/sharp-libvips-linux-x64',
    '@img/sharp-linux-arm64',
    '@img/sharp-linux-x64',
  ])
  expect(names.filter((name) => /vitest|esbuild|biome|typescript|^@types/.test(name))).toEqual([])
})

test('[SBOM] has the locked version and digest of each package', () => {
  const locked = Object.values<{ version: string; integrity?: string }>(
    JSON.parse(readFileSync('package-lock.json', 'utf8')).packages,
  )
  const known = new Set(
    locked.map(
      ({ version, integrity = '' }) => `${version} ${Buffer.from(integrity.slice(7), 'base64').toString('hex')}`,
    ),
  )
  const unknown = contained.filter(
    ({ versionInfo, checksums }) => !known.has(`${versionInfo} ${checksums?.[0]?.checksumValue}`),
  )
  expect(unknown).toEqual([])
})

test('[SBOM] names the server, and says that it contains each package', () => {
  expect(server).toMatchObject({ name: manifest.name, versionInfo: manifest.version })
  const related = new Set(relationships.map(({ relatedSpdxElement }) => relatedSpdxElement))
  expect(packages.filter(({ SPDXID }) => !related.has(SPDXID))).toEqual([])
})
