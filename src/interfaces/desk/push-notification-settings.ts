import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { pushKey } from '../../core/push/push-key.ts'
import {
  isUsableAddress,
  pushDetailsSet,
  pushLanguageSet,
  pushStateOf,
  pushSubscriptionOfSessionEnd,
  pushSubscriptionStore,
} from '../../core/push/push-subscriptions.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { hidden } from '../pages/form-inputs.ts'
import type { DeskRequest } from './call-operation-as-staff.ts'

/**
 * The part of the devices page about push notifications on this device. Only a script can turn them on. The other forms work
 * without scripts.
 */
export async function pushSettings(
  { session }: SignedInStaff,
  isRefused: boolean,
  { say }: Localizer,
  dependencies: Dependencies<'db' | 'clock' | 'pushBox'>,
): Promise<Content> {
  const state = await pushStateOf(dependencies.db, session)
  if (!state) {
    const { publicKey } = await pushKey(dependencies)
    return html`<section id="push" data-needed><h2>${say('desk.push')}</h2><p>${say('desk.push.text')}</p>
${isRefused && html`<p class="note wrong" role="alert">${say('desk.push.failed')}</p>`}
<p class="note" data-push-impossible>${say('desk.push.impossible')}</p>
<form method="post" data-push-key="${publicKey}">${hidden({ do: 'push_on' })}<p class="error" data-failed hidden>${say('desk.push.failed')}</p>
<button class="plain">${say('desk.inbox.notify')}</button></form></section>`
  }
  return html`<section id="push"><h2>${say('desk.push')}</h2><p>${say('desk.push.is_on')}</p>
<form method="post">${hidden({ do: 'push_details' })}<label class="tick"><input type="checkbox" name="details" value="yes"${state.shows_details && html` checked`}> <span>${say('desk.push.details')}<br><span class="soft">${say('desk.push.details.text')}</span></span></label>
<button class="plain">${say('desk.save')}</button></form>
<form method="post">${hidden({ do: 'push_off' })}<button class="plain">${say('desk.inbox.notify.off')}</button></form></section>`
}

/** Changes the push notifications of this device. Returns false if the browser sent an address that cannot be used. */
export async function changePushSettings(
  form: URLSearchParams,
  { who: { id: staffId, session }, request }: DeskRequest,
  dependencies: Dependencies<'db' | 'clock' | 'makeChange' | 'config' | 'pushBox'>,
): Promise<boolean> {
  const { clock, makeChange, pushBox: box } = dependencies
  const wish = form.get('do')
  if (wish === 'push_off') await makeChange((tx) => pushSubscriptionOfSessionEnd(tx, session))
  if (wish === 'push_details') await makeChange((tx) => pushDetailsSet(tx, session, form.has('details')))
  if (wish !== 'push_on') return true
  const [endpoint = '', p256dh = '', auth = ''] = ['endpoint', 'p256dh', 'auth'].map((name) => form.get(name) ?? '')
  const address = { endpoint, p256dh, auth }
  if (!(await isUsableAddress(address, dependencies))) return false
  const { locale } = request.localizer
  await makeChange((tx) => pushSubscriptionStore(tx, { session, staffId, address, locale }, { box, now: clock() }))
  return true
}

/** The notifications have the language in which the staff member uses the desk. */
export async function keepPushLanguage(
  { who: { session, pushLocale }, request }: DeskRequest,
  { makeChange }: Dependencies<'makeChange'>,
): Promise<void> {
  const { locale } = request.localizer
  if (pushLocale === undefined || pushLocale === locale) return
  // The page must appear even if the database accepts no changes now. The next page stores the language.
  await makeChange((tx) => pushLanguageSet(tx, session, locale)).catch(() => {})
}
