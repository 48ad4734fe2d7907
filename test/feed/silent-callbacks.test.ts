import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { testNameserver } from '../support/nameserver.ts'

const nameserver = await testNameserver()
const shop = await testShop(businessWith([service('svc_a')]), { env: { USP_NAMESERVERS: nameserver.address } })
/** More than there are connections to the database. */
const MANY = 14

test.each([restDesk(shop), mcpDesk(shop)])(
  '[look-ups that are never answered keep no other waiting] callbacks take no connection to the database, over $binding',
  async (desk) => {
    const hosts = Array.from({ length: MANY }, (_, index) => `${desk.binding}-${index}.example`.toLowerCase())
    for (const host of hosts) nameserver.names.set(host, 'silent')
    const subscribed = hosts.map((host) =>
      desk.call('usp_services_feed_subscribe', { callback_url: `https://${host}/hook` }),
    )
    await expect.poll(() => hosts.every((host) => nameserver.asked.includes(host))).toBe(true)
    const first = Promise.race(subscribed).then(() => 'a subscription')
    const list = desk.call('usp_services_list', {}).then(() => 'the list')
    expect(await Promise.race([first, list])).toBe('the list')
    for (const { code } of await Promise.all(subscribed)) expect(code).toBe('validation_error')
  },
)
