import { staffSessionEnd, staffSessions } from '../../core/authentication/staff-sessions.ts'
import { type OwnPasskey, staffPasskeyEnd, staffPasskeys } from '../../core/authentication/stored-staff-passkeys.ts'
import { canHavePasskeys } from '../../core/authentication/webauthn-passkeys.ts'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { DeskRequest } from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { passkeyForm } from './passkey-form.ts'
import { addToList } from './passkey-page.ts'
import { changePushSettings, pushSettings } from './push-notification-settings.ts'

export async function devicesPage(
  { who, request: { localizer } }: DeskRequest,
  dependencies: Dependencies<'db' | 'clock' | 'business' | 'config' | 'pushBox'>,
  isPushRefused = false,
): Promise<DeskView> {
  const { say } = localizer
  const zone = await zoneOf(dependencies)
  const [sessions, passkeys] = [
    await staffSessions(dependencies.db, who.id, dependencies.clock()),
    await staffPasskeys(dependencies.db, who.id),
  ]
  const canHave = canHavePasskeys(dependencies.config)
  const when = (instant: Date) => momentText(localizer, instant, zone)
  const passkeyLine = ({
    id,
    device,
    created_at,
    used_at,
  }: OwnPasskey): Content => html`<li>${deviceName(device) || say('desk.device.unknown')}<br>
<span class="soft">${when(created_at)}${used_at && ` · ${say('desk.passkey.used', { time: when(used_at) })}`}</span>
<form method="post" class="inline"><button class="plain" name="passkey" value="${id}">${say('desk.passkey.end')}</button></form></li>
`
  return {
    status: isPushRefused ? 422 : 200,
    title: say('desk.devices'),
    who,
    place: 'devices',
    body: html`<p>${say('desk.devices.text', { name: who.name })}</p>
<ul class="story">${sessions.map(
      ({ id, device, created_at }) => html`<li>${deviceName(device) || say('desk.device.unknown')}<br>
<span class="soft">${when(created_at)}${id === who.session && ` · ${say('desk.device.this')}`}</span>
${id !== who.session && html`<form method="post" class="inline"><button class="plain" name="end" value="${id}">${say('desk.device.end')}</button></form>`}</li>
`,
    )}</ul>
${await pushSettings(who, isPushRefused, localizer, dependencies)}
${
  (canHave || passkeys.length > 0) &&
  html`<h2>${say('desk.passkeys')}</h2><p>${say('desk.passkey.text')}</p>
<ul class="story">${passkeys.map(passkeyLine)}</ul>`
}${canHave && passkeyForm('add', localizer, addToList)}`,
  }
}

/**
 * Signs a device out, or changes the push notifications of this device. To sign out, the submitted form names a browser
 * session or a passkey of the staff member. The function ends this session or deletes this passkey.
 */
export async function submitDevicesForm(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: Dependencies<'db' | 'clock' | 'makeChange' | 'business' | 'config' | 'pushBox'>,
): Promise<Answer> {
  const { who } = deskRequest
  const { db, clock, makeChange } = dependencies
  if (form.has('do')) {
    const isDone = await changePushSettings(form, deskRequest, dependencies)
    return isDone ? { to: '/desk/devices#push' } : devicesPage(deskRequest, dependencies, true)
  }
  await staffSessionEnd(db, who.id, form.get('end') ?? '')
  await makeChange((tx) => staffPasskeyEnd(tx, who.id, form.get('passkey') ?? '', clock()))
  return { to: '/desk/devices' }
}

/**
 * Patterns that find the name of the browser in a `User-Agent` header. The header often contains the names of other
 * browsers too, so the first matching pattern decides.
 */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const SYSTEMS: typeof BROWSERS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/**
 * Returns the names of the browser and the operating system in a `User-Agent` header. If both are unknown, returns the
 * whole header.
 */
function deviceName(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].flatMap((all) => all.find(([sign]) => sign.test(userAgent))?.[1] ?? [])
  return names.join(' · ') || userAgent
}
