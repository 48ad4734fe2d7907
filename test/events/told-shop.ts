import { expect } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { compile, faultsOf } from '../../src/protocol/schema-validator.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { expectZoned } from '../support/contract.ts'
import { type Shop, testShop } from '../support/desk.ts'
import { type Platform, testPlatform } from '../support/platform.ts'
import { type Receiver, testReceiver } from '../support/receiver.ts'

/** A shop whose platform is told of what happens. */
export interface ToldShop extends Shop {
  published: Platform
  receiver: Receiver
  /** What is told now, in order. */
  told(): Promise<Receiver['received'][number]['body'][]>
  /** Lets this much time pass, and says what is told then. */
  toldAfter(seconds: number): ReturnType<ToldShop['told']>
}

export async function toldShop(
  definition: BusinessDefinition,
  options: Parameters<typeof testShop>[1] = {},
): Promise<ToldShop> {
  const receiver = await testReceiver()
  const published = await testPlatform({ webhook_url: receiver.url })
  const shop = await testShop(definition, options)
  const told = async () => {
    receiver.received.length = 0
    await sendDueEvents(shop.runtime)
    return receiver.received.map(({ body }) => body)
  }
  return {
    ...shop,
    platform: await shop.newPlatform(published.url),
    published,
    receiver,
    told,
    toldAfter(seconds) {
      shop.time.now = new Date(shop.time.now.getTime() + seconds * 1000)
      return told()
    },
  }
}

/** The days after tomorrow, whenever that is. */
export function soon({ time }: ToldShop) {
  const day = (days: number) => new Date(time.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return { start_date: day(2), end_date: day(5) }
}

const valid = {
  booking: compile(shape('BookingEvent')),
  service: compile(shape('CatalogEvent')),
  waitlist: compile(shape('WaitlistEvent')),
}

/** Of a published kind, and as the published schema has it; its times say how late it is where the business is. */
export function expectValidEvent(body: { event: string }): void {
  const [kind] = body.event.split('.')
  const validator = valid[kind as keyof typeof valid]
  expect([validator(body), faultsOf(validator)]).toEqual([true, []])
  expectZoned(body)
}
