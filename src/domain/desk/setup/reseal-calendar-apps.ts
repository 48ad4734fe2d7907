import {
  calendarAppDelete,
  calendarAppReplace,
  calendarAppsLock,
  storedCalendarApps,
} from '../../../core/business/calendar-app-queries.ts'
import { type ResealStep, resealed } from '../../../core/keys/reencrypt-stored-secrets.ts'

/**
 * Re-encrypts the secrets of the apps for calendars. If the former secret key cannot decrypt a secret, the function deletes
 * the app, and an owner must enter it again.
 */
export const resealCalendarApps: ResealStep = async (tx, { former, next }) => {
  await calendarAppsLock(tx)
  for (const app of await storedCalendarApps(tx)) {
    const client_secret = resealed(app.client_secret, { former: former.calendars, next: next.calendars })
    if (client_secret) await calendarAppReplace(tx, { ...app, client_secret })
    else await calendarAppDelete(tx, app.provider)
  }
}
