import { defineOperation } from '../../../protocol/define-operation.ts'
import type { InviteStaff } from '../../../protocol/types.generated.ts'
import { createDeskLink } from './create-desk-link.ts'
import { addMember, byCaller } from './manage-staff-members.ts'
import { email, linkOutput, name, onStaff, role, toStaff, visibleName } from './staff-schema.ts'

export const inviteStaff = defineOperation<InviteStaff>({
  ...onStaff,
  id: 'inviteStaff',
  rest: 'POST /business/staff',
  tool: 'usp_business_staff_invite',
  title: 'Invite a staff member',
  description:
    'Creates a staff member and a link that opens the desk once, within three days. It is shown only in this ' +
    'answer, and mailed if there is an email address and mail is set up. Managers can invite staff and viewers, ' +
    'owners all roles.',
  effect: 'create',
  input: { type: 'object', required: ['name', 'role'], properties: { name, role: role('The role.'), email } },
  output: linkOutput,
  summary: ({ staff }) => `${staff.name} is invited as ${staff.role}. The link is shown only this once.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const wanted = { name: visibleName(input.name), role: input.role, email: input.email?.toLowerCase() ?? null }
    const added = await addMember(db, wanted, { by: byCaller(caller) }, now)
    const { member, url, isMailed } = await createDeskLink(db, added, context, now)
    return { staff: await toStaff(member, context), url, mailed: isMailed }
  },
})
