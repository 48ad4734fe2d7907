import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('[SBOM] lists each package of the image, and none that is for development alone', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toContain('npm ci --omit=dev --omit=optional')
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const installed = Object.keys(packages)
    .filter((path) => path.startsWith('node_modules/'))
    .filter((path) => !['dev', 'devOptional', 'optional', 'link'].some((mark) => packages[path][mark]))
    .map((path) => `${path.split('node_modules/').at(-1)}@${packages[path].version}`)
  expect(installed.length).toBeGreaterThan(150)
  const listed: { name: string; versionInfo: string }[] = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ).packages
  const names = listed.map(({ name, versionInfo }) => `${name}@${versionInfo}`)
  expect([...new Set(names)].filter((name) => !name.startsWith('usp-server@')).sort()).toEqual(
    [...new Set(installed)].sort(),
  )
})
