import { subjectOf } from '../../../core/authentication/staff-members.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { LinkStaff } from '../../../protocol/types.generated.ts'
import { createDeskLink } from './create-desk-link.ts'
import { byCaller, lockManaged } from './manage-staff-members.ts'
import { linkOutput, onStaff, staffId, toStaff } from './staff-schema.ts'

export const linkStaff = defineOperation<LinkStaff>({
  ...onStaff,
  id: 'linkStaff',
  rest: 'POST /business/staff/{staff_id}/link',
  tool: 'usp_business_staff_link',
  title: 'Create a desk link for a staff member',
  description:
    'Creates a link that opens the desk once as this staff member, within three days: for a new device or the ' +
    'first sign-in. It is shown only in this answer, and mailed if there is an email address and mail is set ' +
    'up. Earlier links no longer work.',
  effect: 'create',
  input: { type: 'object', required: ['staff_id'], properties: { staff_id: staffId } },
  output: linkOutput,
  summary: ({ staff: { name } }) => `There is a new link for ${name}. It is shown only this once.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const by = byCaller(caller)
    const { member: before } = await lockManaged(db, input.staff_id, by)
    const { member, url, isMailed } = await createDeskLink(db, before, context, now)
    insertAuditEntry(db, { actor: by.actor, action: 'link', subject: subjectOf(member.id), from: null, to: null }, now)
    return { staff: await toStaff(member, context), url, mailed: isMailed }
  },
})
