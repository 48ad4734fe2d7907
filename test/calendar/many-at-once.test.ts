import { setTimeout as pass } from 'node:timers/promises'
import fastify from 'fastify'
import type { KyselyPlugin, QueryId } from 'kysely'
import { expect, test } from 'vitest'
import { serveCalendarFeeds } from '../../src/interfaces/calendars/serve-staff-calendar-feed.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'

/** As long as it takes all who ask to come. */
const MAKING_MS = 500

test('[memory is bounded] a calendar that many ask for at once is made once, and one is made at a time', async () => {
  const shop = await testShop(businessWith([service('svc_one')]))
  const desk = restDesk(shop)
  const newPath = async () => {
    const { data } = await desk.call('usp_business_calendars_create', {}, { as: shop.staff })
    return new URL(data.url).pathname
  }
  const paths = [await newPath(), await newPath()]
  let [made, mostAtOnce] = [0, 0]
  const making = new Set<QueryId>()
  const slowly: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('select * from bookings')) {
        made++
        mostAtOnce = Math.max(mostAtOnce, making.add(queryId).size)
      }
      return node
    },
    async transformResult({ result, queryId }) {
      if (making.has(queryId)) await pass(MAKING_MS)
      making.delete(queryId)
      return result
    },
  }
  const app = fastify()
  serveCalendarFeeds(app, { ...shop.runtime, db: shop.runtime.db.withPlugin(slowly) })
  const asking = [...Array(8)].flatMap(() => paths.map((url) => app.inject({ method: 'GET', url })))
  for (const { statusCode, body } of await Promise.all(asking))
    expect([statusCode, body.slice(0, 15)]).toEqual([200, 'BEGIN:VCALENDAR'])
  expect([made, mostAtOnce]).toEqual([paths.length, 1])
})
