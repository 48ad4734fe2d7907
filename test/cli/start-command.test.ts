import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
/** What of the memory is kept, by how many threads it is looked through, and how Node is told. */
const settings = (text: string) =>
  [...text.matchAll(/MALLOC_\w+=\d+|--(?:max|v8)-[\w-]+=\d+/g)].map(([setting]) => setting)

test('[one command to run] the image, the unit and the handbook start the server as `npm start` does', () => {
  const started = settings(manifest.scripts.start)
  expect(started).toHaveLength(4)
  for (const file of ['Dockerfile', 'deploy/systemd/usp.service', 'docs/running.md', 'bin/usp'])
    expect(settings(read(file)), file).toEqual(started)
})
