import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = join(root, 'node_modules/.bin/node')
const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs `@modelcontextprotocol/conformance`; `hear` is told what it says as it says it. */
export async function conformance(args: string[], hear: (output: string) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'usp-conformance-'))
  const child = spawn(node, [program, ...args, '-o', folder], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      hear(output)
    })
  const [code] = await once(child, 'close')
  await rm(folder, { recursive: true })
  return { code, output }
}
