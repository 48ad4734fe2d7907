import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { usp } from '../support/process.ts'

const said = async (...args: string[]) => {
  const running = usp(args, {})
  return { code: await running.ended, output: running.output().trim() }
}

test.each(['--version', '-v', 'version'])('[which version runs] %s says it', async (word) => {
  expect(await said(word)).toEqual({ code: 0, output: manifest.version })
})

test('[which Node it needs] an older one is refused in one line, and the image has one that will do', async () => {
  const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"22.18.0"}})'
  const running = usp(['serve'], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` })
  expect(await running.ended).toBe(1)
  expect(running.output()).toBe('This needs Node 24 or newer, but runs on 22.18.0.\n')
  const [, of] = /^FROM node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  expect(manifest.engines.node).toBe(`>=${of}`)
})

test.each(['serve', 'apply', 'staff', 'migrate'])(
  '[a command that is asked what it does] %s says so and does nothing',
  async (name) => {
    const usage = (await said('help')).output
    for (const word of ['--help', '-h', 'help']) {
      const { code, output } = await said(name, word)
      expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^usp ${name} .+$`))])
      expect(usage.replace(/ +/g, ' ')).toContain(output.replace('usp ', ''))
    }
  },
)
