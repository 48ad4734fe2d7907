import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { judge, type Target } from '../../bench/support/check-target.ts'

const stopped = { at: 0.9, why: '0101' }
test.each<[number, Target, string]>([
  [0.9, { atLeast: 0.9 }, 'ratio: 0.9, wanted at least 0.9: met'],
  [0.8996, { atLeast: 0.9 }, 'ratio: 0.9, wanted at least 0.9: MISSED'],
  [1.94321, { atLeast: 1.6 }, 'ratio: 1.94, wanted at least 1.6: met'],
  [250, { atMost: 250 }, 'ratio: 250, wanted at most 250: met'],
  [250.4, { atMost: 250 }, 'ratio: 250, wanted at most 250: MISSED'],
  [0.97, { atLeast: 1, stopped }, 'ratio: 0.97, wanted at least 1: not met, and left so above 0.9 (0101)'],
  [0.89, { atLeast: 1, stopped }, 'ratio: 0.89, wanted at least 1: MISSED'],
  [1, { atLeast: 1, stopped }, 'ratio: 1, wanted at least 1: met'],
  [
    1.2,
    { under: 1.15, stopped: { at: 1.35, why: '0093' } },
    'ratio: 1.2, wanted under 1.15: not met, and left so below 1.35 (0093)',
  ],
  [1.36, { under: 1.15, stopped: { at: 1.35, why: '0093' } }, 'ratio: 1.36, wanted under 1.15: MISSED'],
  [Number.NaN, { under: 1, stopped }, 'ratio: NaN, wanted under 1: MISSED'],
  [60, { under: 60 }, 'ratio: 60, wanted under 60: MISSED'],
  [12_345, { under: 20_000 }, 'ratio: 12300, wanted under 20000: met'],
  [Number.NaN, { atMost: 1 }, 'ratio: NaN, wanted at most 1: MISSED'],
])('[a target] %f where %j is wanted', (figure, wanted, text) => {
  expect(judge('ratio', figure, wanted).text).toBe(text)
})

const support = (name: string) => fileURLToPath(new URL(`../../bench/support/${name}`, import.meta.url))
const run = (script: string, from: string) => {
  const code = `import { checkTarget } from ${JSON.stringify(support('check-target.ts'))}; import { requireOrSkip } from ${JSON.stringify(support('require-or-skip.ts'))};`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code + script], { cwd: from })
  return { status, said: String(stdout) }
}

test('[a target] that is missed lets a benchmark go on to its end, which then is a failure', () => {
  const met = "checkTarget('p99', 5, { under: 25 }, 'ms');"
  const end = "console.log('usp verify is clean')"
  expect(run(met + end, '/')).toEqual({ status: 0, said: 'p99: 5 ms, wanted under 25 ms: met\nusp verify is clean\n' })
  const missed = "checkTarget('p99', 30, { under: 25 }, 'ms');"
  const left = "checkTarget('rate', 0.95, { atLeast: 1, stopped: { at: 0.9, why: '0101' } });"
  expect(run(left + end, '/').status).toBe(0)
  expect(run(missed + met + end, '/')).toMatchObject({ status: 1, said: expect.stringMatching(/MISSED.*verify/s) })
})

test('[a benchmark] that cannot be run here says in one line what it lacks, and that is no failure', () => {
  expect(run("requireOrSkip('the moon', true); console.log('run')", '/')).toEqual({ status: 0, said: 'run\n' })
  expect(run("requireOrSkip('the moon', false); console.log('run')", '/')).toEqual({
    status: 77,
    said: 'passed over: it needs the moon\n',
  })
})
