import { expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const catalogue = [
  service('svc_filler', { name: 'Hot stone ritual', description: 'Ends with a short massage of the neck.' }),
  service('svc_massage', {
    name: 'Deep Tissue Massage',
    description: { plain: 'Firm pressure for tired muscles.' },
    localized: {
      name: { es: 'Masaje profundo', ja: '深層マッサージ' },
      description: { fr: 'Pour les sportifs épuisés' },
    },
  }),
  service('svc_cut', {
    name: 'Haircut',
    categories: [{ taxonomy: 'merchant', id: 'hair', name: 'Coiffure' }],
    tags: ['bangs'],
  }),
  service('svc_color', {
    name: 'Balayage',
    categories: [{ taxonomy: 'merchant', id: 'hair', name: 'Coiffure' }],
    localized: { category_name: { de: 'Haarpflege' } },
  }),
  service('svc_archived', { name: 'Massage of old', status: 'archived' }),
]
const locations = [{ id: 'loc_a', name: 'A' }]
const server = await testServer(businessWith(catalogue, { locations }))

const search = async (call: Caller, query: string, more = {}): Promise<string[]> =>
  (await call('usp_services_list', { query, ...more })).payload.services.map(({ id }: { id: string }) => id)

onBothBindings(server, (call) => {
  test('[CAT-016] a word of one name alone puts that service first', async () => {
    expect((await search(call, 'haircut'))[0]).toBe('svc_cut')
    expect((await search(call, 'Balayage'))[0]).toBe('svc_color')
  })

  test('[CAT-017] words of descriptions are found, plain or structured', async () => {
    expect(await search(call, 'neck')).toEqual(['svc_filler'])
    expect(await search(call, 'muscles')).toEqual(['svc_massage'])
  })

  test('[CAT-018] a category name finds the services of the category', async () => {
    expect((await search(call, 'coiffure')).sort()).toEqual(['svc_color', 'svc_cut'])
  })

  test('[CAT-019] a match in the name ranks above one in the description', async () => {
    expect(await search(call, 'massage')).toEqual(['svc_massage', 'svc_filler'])
  })

  test('[CAT-020] a filter holds, however well the text matches', async () => {
    expect(await search(call, 'massage', { filters: { type: 'group' } })).toEqual([])
    expect(await search(call, 'massage haircut', { filters: { category_id: 'hair' } })).toEqual(['svc_cut'])
  })

  test.each(['', '   ', '?!…', '-- " \' :* & | !', '()'])(
    '[CAT-022] a query without words (%j) lists everything',
    async (query) => {
      expect(await search(call, query)).toHaveLength(4)
    },
  )

  test.each([
    ['hiarcut', 'svc_cut'],
    ['balyage', 'svc_color'],
    ['masage', 'svc_massage'],
    ['massages', 'svc_massage'],
    ['deep tisue massage', 'svc_massage'],
    ['bang', 'svc_cut'],
  ])('spelling is forgiven: %s finds %s first', async (query, id) => {
    expect((await search(call, query))[0]).toBe(id)
  })

  test.each([
    ['masaje', 'svc_massage'],
    ['epuises', 'svc_massage'],
    ['ÉPUISÉS', 'svc_massage'],
    ['マッサージ', 'svc_massage'],
    ['Haarpflege', 'svc_color'],
  ])('translations are searched: %s finds %s', async (query, id) => {
    expect(await search(call, query)).toEqual([id])
  })

  test('words that nothing holds find nothing', async () => {
    expect(await search(call, 'zeppelin')).toEqual([])
  })

  test('a search can be walked page by page in the order of relevance', async () => {
    const whole = await search(call, 'massage haircut')
    const walked: string[] = []
    let cursor: string | null = null
    do {
      const { payload } = await call('usp_services_list', {
        query: 'massage haircut',
        pagination: { limit: 1, cursor },
      })
      walked.push(payload.services[0].id)
      cursor = payload.pagination.cursor
    } while (cursor)
    expect(walked).toEqual(whole)
    expect(whole.length).toBeGreaterThan(2)
  })
})

test('[CAT-021] with search switched off a query changes nothing, and the profile does not offer it', async () => {
  const silent = await testServer(businessWith(catalogue, { locations, catalogue: { search: false } }))
  const plain = await silent.rest('POST', '/services/list', {})
  const asked = await silent.rest('POST', '/services/list', { query: 'massage' })
  expect(asked.status).toBe(200)
  expect(asked.body.services).toEqual(plain.body.services)
  const entry = (answer: { body: { usp: { capabilities: Record<string, { search: boolean }[]> } } }) =>
    answer.body.usp.capabilities['dev.usp-protocol.services.catalog']?.[0]?.search
  expect(entry(await silent.rest('GET', '/.well-known/usp'))).toBe(false)
  expect(entry(await server.rest('GET', '/.well-known/usp'))).toBe(true)
})
