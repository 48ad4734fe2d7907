import { expect, test } from 'vitest'
import { botDirectory, botHeaders, botKey } from '../../../src/core/keys/web-bot-auth.ts'
import { buyer } from '../../support/desk.ts'
import { testPlatform } from '../../support/platform.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, platform } = await deskSalon()
const key = botKey('a secret of an agent that signs what it sends')

test('[whose agent it is] the story of a booking names whose agent made it', async () => {
  const agent = await testPlatform()
  const { origin, host } = new URL(agent.url)
  agent.answer = (_, response) => response.end(botDirectory(host, key, shop.time.now).body)
  const call = (path: string, body: object) =>
    shop.rest('POST', path, body, {
      authorization: `Bearer ${shop.platform.bearer}`,
      'usp-agent': `profile="${shop.platform.profile}"`,
      ...botHeaders('POST', new URL(`http://127.0.0.1:8080/usp/v1${path}`), { origin, key, now: shop.time.now }),
    })
  const logged = async () => {
    await call('/services/list', {})
    return shop.logged.at(-1)
  }
  await expect.poll(logged).toContain(`"agent":"${host}"`)
  const [slot] = await platform.slots('svc_auto')
  const { booking } = (await call('/bookings', { slot_id: slot.id, service_id: 'svc_auto', buyer })).body
  const { body } = await (await signedIn('viewer')).open(`/desk/bookings/${booking.id}`)
  expect(body).toMatch(new RegExp(`Booked · [^]* · ${shop.platform.principal} · ${host}</span>`))
})
