import { staffSessions } from '../../authentication/staff-sessions.ts'
import { html } from '../../basics/html.ts'
import { zoneOf } from '../../business/zone-of.ts'
import { momentText } from '../../languages/times.ts'
import type { Means } from '../../protocol/means.ts'
import type { Asking } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'

/** Where somebody is signed in, and the buttons that end it. */
export async function devicesPage(
  { who, request: { speech } }: Asking,
  means: Means<'db' | 'clock' | 'business'>,
): Promise<DeskView> {
  const { say } = speech
  const zone = await zoneOf(means)
  const sessions = await staffSessions(means.db, who.id, means.clock())
  return {
    status: 200,
    title: say('desk.devices'),
    who,
    place: 'devices',
    body: html`<p>${say('desk.devices.text', { name: who.name })}</p>
<ul class="story">${sessions.map(
      ({ id, device, created_at }) => html`<li>${device || say('desk.device.unknown')}<br>
<span class="soft">${momentText(speech, created_at, zone)}${id === who.session && ` · ${say('desk.device.this')}`}</span>
${id !== who.session && html`<form method="post"><button class="plain" name="end" value="${id}">${say('desk.device.end')}</button></form>`}</li>
`,
    )}</ul>`,
  }
}
