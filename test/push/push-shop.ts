import { sendDuePushMessages } from '../../src/core/push/push-worker.ts'
import { queueInboxNews } from '../../src/domain/desk/push/queue-inbox-news.ts'
import type { Role } from '../../src/protocol/caller-types.ts'
import { studio } from '../desk/studio.ts'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { CLASS, classOfOne } from '../waitlist/queue.ts'
import { pushService } from './push-service.ts'

const definition = { ...studio, services: [...studio.services.filter(({ id }) => id !== CLASS), classOfOne] }

/** A studio whose staff get push notifications. */
export async function pushShop(env: NodeJS.ProcessEnv = {}) {
  const [salon, service] = [await deskSalon(env, definition), await pushService()]
  const { shop } = salon
  const { db, business } = shop.runtime
  type Signed = Awaited<ReturnType<typeof salon.signedIn>>
  /** The public key that the devices page hands to the browser. */
  const serverKey = async (one: Signed) =>
    /data-push-key="([^"]+)"/.exec(String((await one.open('/desk/devices')).body))?.[1] ?? ''
  const turnOn = async (one: Signed, more: Record<string, string> = {}, headers = {}) => {
    const address = service.subscribe(await serverKey(one))
    const answer = await one.send('/desk/devices', { do: 'push_on', ...address, ...more }, headers)
    await business.seenBy(db)
    return { answer, address }
  }
  return {
    ...salon,
    service,
    serverKey,
    turnOn,
    rest: restDesk(shop),
    mcp: mcpDesk(shop),
    /** Somebody of this role, one of whose browsers gets push notifications. */
    async notified(role: Role, headers = {}) {
      const one = await salon.signedIn(role)
      const { address } = await turnOn(one, {}, headers)
      return { ...one, address }
    },
    /** Sends what is due so many seconds later. Returns what arrived. */
    async arrivals(seconds = 0) {
      shop.time.now = new Date(shop.time.now.getTime() + seconds * 1000)
      await business.seenBy(db)
      await queueInboxNews(shop.runtime, shop.time.now)
      await sendDuePushMessages(shop.runtime)
      return service.arrivals.splice(0)
    },
    subscriptions: () => db.selectFrom('push_subscriptions').selectAll().execute(),
    messages: () => db.selectFrom('push_messages').selectAll().execute(),
  }
}
