import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Results } from '../../packages/conformance/report/results.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { demoBusiness, startBusiness, ucpBusiness } from './ucp-business.ts'

const MAX_MINUTES = 5
/** The contested slots of the races, and the time for them in addition to the checks. */
const [RACES, MAX_RACE_MINUTES] = [1_000, 5]
/** A slow run must end as a missed time, so a run may take three times as long. */
const KILL_AFTER_MS = 3 * (MAX_MINUTES + MAX_RACE_MINUTES) * 60_000

const node = join(import.meta.dirname, '../../node_modules/.bin/node')

/** Runs the program of the conformance suite. Returns the results and the minutes. */
async function runSuite({ url, staff, paymentToken }: Settings, options: string[] = []): Promise<[Results, number]> {
  const file = join(mkdtempSync(join(tmpdir(), 'usp-every-mode-')), 'results.json')
  const begun = performance.now()
  const suite = spawn(
    node,
    [
      ...['packages/conformance/main.ts', url, '--json', file, '--staff', staff],
      ...['--payment-token', paymentToken, ...options],
    ],
    { timeout: KILL_AFTER_MS, env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await once(suite, 'close')
  return [JSON.parse(readFileSync(file, 'utf8')), (performance.now() - begun) / 60_000]
}

type Settings = Awaited<ReturnType<typeof startBusiness>>['settings']

const withoutRegistry = ({ registry: _, ...definition }: BusinessDefinition): BusinessDefinition => definition

/** The deployment modes of a business, with the number of levels that it can earn. */
const modes: [string, BusinessDefinition, string[]][] = [
  ['standalone, with a registry', demoBusiness(), []],
  ['standalone, without a registry', withoutRegistry(demoBusiness()), ['Registry']],
  ['UCP-Native, with a registry', ucpBusiness(), []],
  ['UCP-Native, without a registry', withoutRegistry(ucpBusiness()), ['Registry']],
]

describe.each(modes)('[conformance suite] %s', (_, definition, notOffered) => {
  const notEarned = ({ levels }: Results) =>
    levels.filter(({ result }) => result !== 'earned').map(({ level, result }) => [level, result])
  const failed = ({ checks }: Results) => checks.filter(({ result }) => result === 'failed').map(({ title }) => title)

  test(
    `our server earns each level twice, each time within ${MAX_MINUTES} minutes`,
    async () => {
      const { settings, stop } = await startBusiness(definition)
      onTestFinished(stop)
      for (const _run of ['first', 'second']) {
        const [results, minutes] = await runSuite(settings)
        console.log(`${minutes.toFixed(1)} minutes`)
        expect({ failed: failed(results), notEarned: notEarned(results) }).toEqual({
          failed: [],
          notEarned: notOffered.map((level) => [level, 'not earned']),
        })
        expect(minutes).toBeLessThanOrEqual(MAX_MINUTES)
      }
    },
    3 * KILL_AFTER_MS,
  )
})

test(
  `[conformance suite] ${RACES} races for a slot take at most ${MAX_RACE_MINUTES} minutes more`,
  async () => {
    const { settings, stop } = await startBusiness(demoBusiness())
    onTestFinished(stop)
    const [results, minutes] = await runSuite(settings, ['--races', String(RACES)])
    console.log(`${minutes.toFixed(1)} minutes`)
    expect(results.checks.filter(({ result }) => result === 'failed')).toEqual([])
    expect(minutes).toBeLessThanOrEqual(MAX_MINUTES + MAX_RACE_MINUTES)
  },
  3 * KILL_AFTER_MS,
)
