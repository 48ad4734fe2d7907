import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

test('[image] the build of the image gets all files that the package contains', () => {
  const allowed = [...readFileSync('.dockerignore', 'utf8').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  const isAllowed = (file: string) => allowed.some((path) => file === path || file.startsWith(`${path}/`))
  // The build creates `dist`. npm packs the page and the license of each package.
  const packed = [...manifest.files.filter((file) => file !== 'dist'), 'README.md', 'LICENSE']
  expect(packed.filter((file) => !isAllowed(file))).toEqual([])
})
