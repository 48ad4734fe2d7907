import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readInWorker } from '../../src/domain/definition/parse-definition-in-worker.ts'
import { LONGEST_DEFINITION } from '../../src/domain/desk/setup/get-definition.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

const usual = businessWith([service('svc_one')])
/** Each key is compared with all before it. */
const hostile = `{${Array.from({ length: LONGEST_DEFINITION / 8 }, (_, nth) => `k${nth}`).join(',')}}`

test('[no single request stalls the server] a definition made to be slow to read ends, and keeps nobody waiting', async () => {
  expect((await readInWorker(stringify(usual))).definition).toEqual(usual)
  const turn = longestTurn()
  const [slow, next] = await Promise.allSettled([readInWorker(hostile, 1_000), readInWorker(stringify(usual))])
  expect(turn()).toBeLessThan(100 * slowness())
  expect(slow).toMatchObject({ reason: { message: expect.stringContaining('takes too long') } })
  expect(next).toMatchObject({ value: { definition: usual } })
})

test('what is refused is refused with the place of its faults', async () => {
  await expect(readInWorker('business: {}')).rejects.toThrow('definition was not applied')
  await expect(readInWorker('a: [')).rejects.toThrow('definition:1:')
})
