import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { businessDefinition } from '../../src/core/business/definition-queries.ts'
import { SERVICE_PATH_WORDS } from '../../src/protocol/base-url-paths.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { inStudio } from './studio.ts'

await inStudio((_, staff, shop) => {
  const read = async () => (await staff('definition_get')).data
  const renamed = (definition: string, name: string): BusinessDefinition => {
    const read: BusinessDefinition = parse(definition)
    return { ...read, business: { ...read.business, name } }
  }
  const inForce = () => businessDefinition(shop.runtime.db)

  test('[the definition] is read as YAML with its version, and what is made of it is applied, told and noted', async () => {
    const { version, definition } = await read()
    expect(parse(definition)).toEqual(await inForce())
    const changed = { version, definition: stringify(renamed(definition, 'Another Name')) }
    const told = [
      { kind: 'changed', what: 'business', details: [expect.stringMatching(/^name: .* → "Another Name"$/)] },
    ]

    const before = await inForce()
    const dry = await staff('definition_apply', { ...changed, dry_run: true })
    expect(dry.data).toMatchObject({ version, changes: told })
    // Most services of the studio are sold without any of its staff.
    expect(new Set(dry.data.noted.map(({ code }: { code: string }) => code))).toEqual(new Set(['no_person']))
    expect(dry.data.noted).toContainEqual({ code: 'no_person', path: 'services[svc_room].resources', values: {} })
    expect(dry.data.warnings).toContainEqual(expect.stringContaining('services[svc_room].resources requires no staff'))
    expect(await inForce()).toEqual(before)

    const { data } = await staff('definition_apply', changed)
    expect(data).toMatchObject({ version: version + 1, changes: told })
    expect((await inForce())?.business.name).toBe('Another Name')
    const entries = await shop.runtime.db
      .selectFrom('changes')
      .select(['actor', 'action', 'detail'])
      .where('subject', '=', 'business')
      .execute()
    expect(entries.at(-1)).toEqual({
      actor: expect.stringMatching(/^staff:/),
      action: 'apply',
      detail: { changes: ['business: changed'] },
    })
    expect((await staff('definition_apply', changed)).code).toBe('invalid_transition')
    expect((await staff('definition_apply', { ...changed, version: version + 1 })).data).toMatchObject({
      version: version + 1,
      changes: [],
    })
  })

  test('[two at once] who comes second is refused with words, and nothing of theirs is done', async () => {
    const { version, definition } = await read()
    const wishes = ['One', 'Two', 'Three'].map((name) => ({
      version,
      definition: stringify(renamed(definition, name)),
    }))
    const answers = await Promise.all(wishes.map((wish) => staff('definition_apply', wish)))
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual([
      ...['done', 'invalid_transition', 'invalid_transition'],
    ])
    const first = wishes[answers.findIndex(({ code }) => code === undefined)]
    expect(await inForce()).toEqual(parse(first?.definition ?? ''))
  })

  test('[the definition] what is wrong with it is told, with the place of every fault, and nothing is applied', async () => {
    const { version, definition } = await read()
    const { business, services }: BusinessDefinition = parse(definition)
    const wrong = { business: { ...business, timezone: 'Mars/Olympus', currency: 'XXQ' }, services }
    const refused = await staff('definition_apply', { version, definition: stringify(wrong) })
    expect(refused.code).toBe('validation_error')
    expect(refused.data.errors[0].message).toMatch(
      /definition:\d+: business\.timezone Mars\/Olympus is not .*\n.*business\.currency XXQ/,
    )
    expect((await staff('definition_apply', { definition: 'business: [' })).code).toBe('validation_error')
    expect((await read()).version).toBe(version)
  })

  test.each(['staff', 'viewer'] as const)('[the definition] is none of the business of %s', async (role) => {
    const as = await shop.staffAs(role)
    for (const what of ['definition_get', 'definition_apply'])
      expect((await staff(what, what === 'definition_get' ? {} : { definition: '{}' }, { as })).code).toBe(
        'authentication_required',
      )
  })
})

test('[the id of a service] is none of the words that stand in its place in an address', () => {
  const words = operations.flatMap(({ rest }) => /^\w+ \/services\/(\w+)/.exec(rest)?.[1] ?? [])
  expect([...new Set(words)].toSorted()).toEqual(SERVICE_PATH_WORDS)
})
