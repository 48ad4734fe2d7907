import { html } from '../../infra/util/html.ts'
import { neededRole } from '../../pipeline/check-role.ts'
import type { Role } from '../../protocol/caller.ts'
import type { Operation } from '../../protocol/operation.ts'
import { forbidden } from '../pages/failures.ts'
import type { DeskRequest } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'

/** Names the required role and who grants it. Without an operation the request did not come from our pages. */
export function missingRolePage(
  operation: Operation | undefined,
  { who, request: { speech } }: Pick<DeskRequest, 'who' | 'request'>,
  needed: Role | undefined = operation && neededRole(operation),
): DeskView {
  if (needed === undefined) return forbidden(speech)
  const { say } = speech
  const isGivenByManagers = needed === 'staff' || needed === 'viewer'
  const roles = { needed: say(`desk.role.${needed}`), role: say(`desk.role.${who.role}`) }
  return {
    status: 403,
    title: say('desk.may_not'),
    who,
    body: html`<p>${say('desk.may_not.text', { ...roles, name: who.name })}</p>
<p>${say(isGivenByManagers ? 'desk.may_not.manager' : 'desk.may_not.owner')}</p>
<p><a class="button" href="/desk">${say('desk.today')}</a></p>`,
  }
}
