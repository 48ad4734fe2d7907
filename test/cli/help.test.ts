import { expect, test } from 'vitest'
import { usp } from '../support/process.ts'

const said = async (...args: string[]) => {
  const running = usp(args, {})
  return { code: await running.ended, output: running.output().trim() }
}

test.each(['serve', 'apply', 'staff', 'migrate'])(
  '[a command that is asked what it does] %s says so and does nothing',
  async (name) => {
    const usage = (await said('help')).output
    for (const word of ['--help', '-h', 'help']) {
      const { code, output } = await said(name, word)
      expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^npm run usp -- ${name} .+$`))])
      expect(usage.replace(/ +/g, ' ')).toContain(output.replace('npm run usp -- ', ''))
    }
  },
)
