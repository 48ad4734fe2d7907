import { describe, expect, test } from 'vitest'
import { staffOfToken } from '../../src/core/authentication/staff-members.ts'
import { type Role, roles } from '../../src/protocol/caller-types.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop, type Who } from '../support/desk.ts'

await onBothDesks(
  () => testShop(businessWith([service('svc_a')])),
  (desk, shop) => {
    const staff = (what: string, as: Who, input: Record<string, unknown> = {}) =>
      desk.call(`usp_business_staff_${what}`, input, { as })
    let nth = 0
    const invited = async (role: Role, more: object = {}) => {
      const owner = await shop.staffAs('owner')
      return (await staff('invite', owner, { name: `Kim ${nth++}`, role, ...more })).data
    }
    const known = async (id: string) =>
      (await staff('list', await shop.staffAs('manager'))).data.staff.find((one: { id: string }) => one.id === id)
    const meOf = async ({ bearer = '' }: Who) => ({ id: (await staffOfToken(shop.runtime.db, bearer))?.id ?? '' })
    const opens = async (url: string) =>
      (await shop.raw({ method: 'POST', url: new URL(url).pathname, headers: { 'sec-fetch-site': 'same-origin' } }))
        .status === 303

    test('[invited] somebody is let in by a link that works once, for three days, and is listed', async () => {
      const { staff: kim, url, mailed } = await invited('staff')
      expect(mailed).toBe(false)
      expect(await known(kim.id)).toEqual({ ...kim, role: 'staff', invited_at: kim.created_at })
      expect([await opens(url), await opens(url)]).toEqual([true, false])
      const late = await invited('staff')
      shop.minutesLater(3 * 24 * 60)
      expect(await opens(late.url)).toBe(false)
    })

    test('[invited] where there is an address the link is mailed too, and neither the mail nor the database keeps its secret', async () => {
      const { staff: kim, url, mailed } = await invited('staff', { email: 'Kim@Example.com' })
      expect([kim.email, mailed]).toEqual(['kim@example.com', true])
      const { db } = shop.runtime
      const stored = [
        await db.selectFrom('mails').selectAll().execute(),
        await db.selectFrom('staff_links').selectAll().execute(),
      ]
      expect(JSON.stringify(stored)).toContain('kim@example.com')
      expect(JSON.stringify(stored)).not.toContain(url.split('/').at(-1))
      expect((await invited('staff', { email: 'unknown@nobody.invalid' })).mailed).toBe(false)
    })

    test('[one address] is of one person, however it is written; nobody else takes it', async () => {
      const { staff: kim } = await invited('staff', { email: 'one@example.com' })
      const { staff: other } = await invited('staff')
      const owner = await shop.staffAs('owner')
      const twice = await staff('invite', owner, { name: 'Sam', role: 'staff', email: 'ONE@example.com' })
      const moved = await staff('change', owner, { staff_id: other.id, email: 'one@example.com' })
      expect([twice.code, moved.code]).toEqual(['validation_error', 'validation_error'])
      await staff('change', owner, { staff_id: kim.id, email: null })
      expect(await known(kim.id)).not.toHaveProperty('email')
      expect((await staff('change', owner, { staff_id: other.id, email: 'one@example.com' })).code).toBeUndefined()
    })

    test('[a link before] is over with the next one, and where the address is another', async () => {
      const { staff: kim, url } = await invited('staff', { email: 'first@example.com' })
      const owner = await shop.staffAs('owner')
      const next = (await staff('link', owner, { staff_id: kim.id })).data
      expect(next.mailed).toBe(true)
      expect(await opens(url)).toBe(false)
      await staff('change', owner, { staff_id: kim.id, email: 'second@example.com' })
      expect(await opens(next.url)).toBe(false)
      const last = (await staff('link', owner, { staff_id: kim.id })).data
      await staff('change', owner, { staff_id: kim.id, name: 'Kimberly' })
      expect(await opens(last.url)).toBe(true)
    })

    describe('[nobody gives more than they have]', () => {
      const mayManage: Record<'owner' | 'manager', readonly Role[]> = { owner: roles, manager: ['staff', 'viewer'] }
      const pairs = (['owner', 'manager'] as const).flatMap((own) => roles.map((other) => [own, other] as const))

      test.each(pairs)('%s and %s', async (own, other) => {
        const me = await shop.staffAs(own)
        const [{ staff: them }, { staff: low }] = [await invited(other), await invited('viewer')]
        const allowed = mayManage[own].includes(other) ? undefined : 'authentication_required'
        const answers = [
          await staff('invite', me, { name: 'Sam', role: other }),
          await staff('change', me, { staff_id: low.id, role: other }),
          await staff('link', me, { staff_id: them.id }),
          await staff('change', me, { staff_id: them.id, role: 'viewer' }),
        ]
        const { staff: last } = await invited(other)
        answers.push(await staff('remove', me, { staff_id: last.id }))
        expect(answers.map(({ code }) => code)).toEqual(answers.map(() => allowed))
        expect((await known(last.id)) === undefined).toBe(allowed === undefined)
        expect((await known(low.id)).role).toBe(allowed === undefined ? other : 'viewer')
      })

      test('of two who take each other’s rights at once one is too late', async () => {
        for (let round = 0; round < 5; round++) {
          const [one, two] = [await shop.staffAs('owner'), await shop.staffAs('owner')]
          const [first, second] = [await meOf(one), await meOf(two)]
          const answers = await Promise.all([
            staff('change', one, { staff_id: second.id, role: 'viewer' }),
            staff('change', two, { staff_id: first.id, role: 'viewer' }),
          ])
          expect(answers.map(({ code }) => code).toSorted()).toEqual(['authentication_required', undefined])
        }
      })
    })

    test('[an owner stays] the last one is neither removed nor given another role, by whomever', async () => {
      const owner = await shop.staffAs('owner')
      const [me, { staff: all }] = [await meOf(owner), (await staff('list', owner)).data]
      const others = all.filter(({ id, role }: { id: string; role: Role }) => role === 'owner' && id !== me.id)
      for (const { id } of others) await staff('remove', owner, { staff_id: id })
      const refused = [
        await staff('remove', owner, { staff_id: me.id }),
        await staff('change', owner, { staff_id: me.id, role: 'manager' }),
      ]
      expect(refused.map(({ code }) => code)).toEqual(['invalid_transition', 'invalid_transition'])
      expect((await staff('change', owner, { staff_id: me.id, name: 'Jo' })).data.staff.role).toBe('owner')
      await shop.staffAs('owner')
      expect((await staff('change', owner, { staff_id: me.id, role: 'manager' })).code).toBeUndefined()
      expect((await staff('invite', owner, { name: 'Sam', role: 'owner' })).code).toBe('authentication_required')
    })

    test('[a name] has something to read in it', async () => {
      const said = await staff('invite', await shop.staffAs('owner'), { name: ' \u202e\t', role: 'staff' })
      expect(said.code).toBe('validation_error')
    })

    test('who is not there is not found', async () => {
      const owner = await shop.staffAs('owner')
      for (const what of ['link', 'change', 'remove'])
        expect((await staff(what, owner, { staff_id: 'stf_none' })).code).toBe('not_found')
    })
  },
)
