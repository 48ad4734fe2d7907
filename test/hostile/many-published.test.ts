import { expect, test } from 'vitest'
import { publishCatalogue } from '../../src/domain/catalog/publish-catalogue.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time; where each choice was looked for among all it was five times that. */
const AT_MOST = 100

const people = Array.from({ length: 1_500 }, (_, nth) => ({
  id: `s${nth}`,
  type: 'staff' as const,
  name: `Ann ${nth}`,
}))
const options = people.map(({ id }) => id)
/** As many choices as a text that is set at the desk has, by aliases. */
const named = (name: string) =>
  businessWith(
    Array.from({ length: 80 }, (_, nth) => ({
      ...service(`svc_${nth}`, { resources: [{ type: 'staff', selectable: true, options }] }),
      name: `${name} ${nth}`,
    })),
    { resources: people },
  )

const { runtime, time } = await testServer(businessWith([]))

test('[no single request stalls the server] eighty services with a choice of 1,500 people are published', async () => {
  const turns: number[] = []
  for (const name of ['Cut', 'Color', 'Wash']) {
    const longest = longestTurn()
    await runUnitOfWork(runtime.db, (tx) => publishCatalogue(tx, named(name), time.now))
    turns.push(longest())
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
  const seventh = runtime.db.selectFrom('services').select('body').where('id', '=', 'svc_7')
  expect((await seventh.executeTakeFirstOrThrow()).body).toMatchObject({
    name: 'Wash 7',
    resources: [{ options: { length: 1_500 } }],
  })
})
