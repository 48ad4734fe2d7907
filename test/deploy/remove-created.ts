/** Waits until its standard input ends. Then removes what a test created: see clean-up-at-end.ts. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const [label = '', image = '', folder = ''] = process.argv.slice(2)
const TIMEOUT_MS = 60_000

const docker = (...args: string[]): string[] => {
  const { stdout } = spawnSync('docker', args, { encoding: 'utf8', timeout: TIMEOUT_MS })
  return (stdout ?? '').split('\n').filter(Boolean)
}

await text(process.stdin)
const filter = ['--quiet', '--filter', `label=${label}`]
const containers = docker('ps', '--all', ...filter)
if (containers.length > 0) docker('rm', '--force', '--volumes', ...containers)
for (const kind of ['volume', 'network']) {
  const found = docker(kind, 'ls', ...filter)
  if (found.length > 0) docker(kind, 'rm', ...found)
}
docker('image', 'rm', '--force', image)
rmSync(folder, { recursive: true, force: true })
