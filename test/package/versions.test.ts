import { globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const versionOf = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).version
const version = versionOf('package.json')

test('[one version] all packages and the lockfile have it, and the change log describes it', () => {
  const paths = ['package-lock.json', ...globSync('packages/*/package.json')]
  expect(paths.map((path) => [path, versionOf(path)])).toEqual(paths.map((path) => [path, version]))
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version} (`)
})

test('[one version] a backup of a database of the version is kept for the upgrade tests', () => {
  expect(readdirSync('test/upgrade/releases')).toContain(`${version}.backup`)
})
