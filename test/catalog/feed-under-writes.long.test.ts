import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

type Catalogue = Record<string, string>

const ids = ['svc_a', 'svc_b', 'svc_c', 'svc_d', 'svc_e', 'svc_f', 'svc_g', 'svc_h']
const catalogue: fc.Arbitrary<Catalogue> = fc.dictionary(
  fc.constantFrom(...ids),
  fc.constantFrom('one', 'two', 'three'),
)
const definitionOf = (names: Catalogue) =>
  businessWith(Object.entries(names).map(([id, name]) => service(id, { name })))

/** What an indexer makes of the feed: pages one after the other, each record once, never an older one after a newer. */
class Reader {
  index: Catalogue = {}
  private cursor = ''
  private last = ''
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  async readPage(
    get: (path: string) => Promise<{ body: { items: Item[]; pagination: { next_cursor: string; has_more: boolean } } }>,
  ) {
    const { body } = await get(`/services/feed?limit=${this.limit}${this.cursor && `&cursor=${this.cursor}`}`)
    for (const { state, modified_at, data } of body.items) {
      const position = `${modified_at} ${data.id}`
      expect(position > this.last, `${position} after ${this.last}`).toBe(true)
      this.last = position
      if (state === 'deleted') delete this.index[data.id]
      else this.index[data.id] = data.name ?? ''
    }
    this.cursor = body.pagination.next_cursor
    return body.pagination.has_more
  }
}

interface Item {
  state: string
  modified_at: string
  data: { id: string; name?: string }
}

const server = await testServer(definitionOf({}))
const get = (path: string) => server.rest('GET', path)

test('[FEED-019] readers that page while writers write end with every service in its final state, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(catalogue, { minLength: 4, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 3 }),
      async (versions, limits) => {
        await server.apply(definitionOf({}))
        const readers = limits.map((limit) => new Reader(limit))
        let writing = true
        const reading = readers.map(async (reader) => {
          while (writing) await reader.readPage(get)
        })
        // Each writer has a clock of its own, some behind: order must not rest on clocks that agree.
        await Promise.all(
          versions.map((names, index) =>
            applyDefinition(server.runtime.db, definitionOf(names), new Date(server.time.now.getTime() - index * 997)),
          ),
        )
        writing = false
        await Promise.all(reading)
        for (const reader of readers) while (await reader.readPage(get));

        const { body } = await server.rest('POST', '/services/list')
        const final = Object.fromEntries(body.services.map(({ id, name }: { id: string; name: string }) => [id, name]))
        expect(versions).toContainEqual(final)
        for (const reader of readers) expect(reader.index).toEqual(final)
      },
    ),
    { numRuns: 12 },
  )
})
