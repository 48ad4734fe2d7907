import { defineOperation } from '../../../protocol/define-operation.ts'
import type { RemoveStaff } from '../../../protocol/types.generated.ts'
import { byCaller, removeMember } from './manage-staff-members.ts'
import { onStaff, staffId, staffOutput, toStaff } from './staff-schema.ts'

export const removeStaff = defineOperation<RemoveStaff>({
  ...onStaff,
  id: 'removeStaff',
  rest: 'DELETE /business/staff/{staff_id}',
  tool: 'usp_business_staff_remove',
  title: 'End the access of a staff member',
  description:
    'Ends all access of a staff member at once: browser sessions, links, passkeys, the token, and the calendar ' +
    'addresses that they created. Their actions stay in the history under their id. The last owner cannot be ' +
    'removed.',
  effect: 'remove',
  input: { type: 'object', required: ['staff_id'], properties: { staff_id: staffId } },
  output: staffOutput,
  summary: ({ staff: { name } }) => `${name} no longer has access.`,
  async handle(context) {
    const { input, caller, db, now } = context
    return { staff: await toStaff(await removeMember(db, input.staff_id, byCaller(caller), now), context) }
  },
})
