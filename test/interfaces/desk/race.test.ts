import { expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { mcpDesk, restDesk } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const ROUNDS = 15

test('[two desks and an agent race] one has the time, and the others are told what is free', async () => {
  const { shop, signedIn, platform } = await deskSalon()
  const [one, other] = [await signedIn('staff'), await signedIn('owner')]
  const won: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [slot] = await platform.slots('svc_auto', { resource_id: 'staff_ann' })
    const atDesk = async ({ send }: typeof one) => {
      const { status, body } = await send('/desk/book', { service: 'svc_auto', slot: slot.id, first_name: 'Jo' })
      return status === 303 ? undefined : `${status} ${/role="alert">([^<]*)/.exec(body)?.[1]}`
    }
    const agent = async () => {
      const { code, data } = (await [restDesk(shop), mcpDesk(shop)][round % 2]?.book(slot)) ?? {}
      return code && `${code} ${data.messages[0].content}`
    }
    const all: [string, () => Promise<string | undefined>][] = [
      ['one desk', () => atDesk(one)],
      ['the other', () => atDesk(other)],
      ['an agent', agent],
    ]
    const order = [...all.slice(round % 3), ...all.slice(0, round % 3)]
    const told = await Promise.all(order.map(async ([who, books]) => [who, await books()] as const))
    const lost = told.filter(([, why]) => why !== undefined)
    expect(lost, JSON.stringify(told)).toHaveLength(2)
    for (const [who, why] of lost)
      expect(why).toMatch(
        who === 'an agent' ? /^slot_unavailable This slot is not available/ : /^409 .*The next free time is .+\d/,
      )
    won.push(...told.flatMap(([who, why]) => (why === undefined ? who : [])))
  }
  const { findings, holders } = await verify(shop.runtime.db, shop.time.now)
  expect([findings.listed, won.length, holders]).toEqual([[], ROUNDS, ROUNDS])
})
