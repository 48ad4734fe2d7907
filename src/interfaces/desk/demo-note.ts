import { findDemoData } from '../../domain/desk/demo/demo-data-audit-log.ts'
import { removeDemoData } from '../../domain/desk/demo/remove-demo-data.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { STAFF_PREFIX } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { icon } from '../pages/icons.ts'
import { type DeskRequest, missingRolePage } from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'

type DemoDependencies = Dependencies<'db' | 'config' | 'clock' | 'makeChange'>

/**
 * Returns a note that the bookings are invented. The note is one line, because it stands above the calendar. A press on
 * the line shows a form with which the owner can remove these bookings. The form works without scripts.
 */
export async function demoNote({ who, request }: DeskRequest, dependencies: DemoDependencies): Promise<Content> {
  return (await hasDemoData(dependencies)) && demoDataNote(who, request.localizer)
}

export const demoDataNote = ({ role }: DeskRequest['who'], { say }: Localizer): Content =>
  html`<details class="note demo"><summary><span>${say('desk.demo')}</span>${role === 'owner' && html` <u>${say('desk.demo.remove')}</u>`}${icon('open')}</summary>
<p>${say('desk.demo.text')}</p>${
    role === 'owner' &&
    html`<form method="post" action="/desk/demo"><p>${say('desk.demo.remove.text')}</p><button class="danger">${say('desk.demo.remove.do')}</button></form>`
  }</details>
`

/**
 * Removes the demo data (invented bookings). Only the owner may remove them. On a server without demo data, the URL
 * does not exist.
 */
export async function submitDemoRemoval(deskRequest: DeskRequest, dependencies: DemoDependencies): Promise<Answer> {
  const { who } = deskRequest
  if (!(await hasDemoData(dependencies))) return undefined
  if (who.role !== 'owner') return missingRolePage(undefined, deskRequest, 'owner')
  await removeDemoData(dependencies, `${STAFF_PREFIX}${who.id}`)
  return { to: '/desk' }
}

/**
 * Whether the server has demo data. Only a development server can have demo data, so a production server does not
 * search the database for them.
 */
async function hasDemoData({ db, config }: DemoDependencies): Promise<boolean> {
  if (config.mode !== 'development') return false
  const demo = await findDemoData(db)
  return demo !== undefined && demo.state !== 'removed'
}
