import { defineOperation } from '../../../protocol/operation.ts'
import type { RemoveStaff } from '../../../protocol/types.generated.ts'
import { byCaller, removeMember } from './members.ts'
import { onStaff, staffId, staffOutput, toStaff } from './staff-parts.ts'

export const removeStaff = defineOperation<RemoveStaff>({
  ...onStaff,
  id: 'removeStaff',
  rest: 'DELETE /business/staff/{staff_id}',
  tool: 'usp_business_staff_remove',
  title: 'End the access of a member of the staff',
  description:
    'Ends whatever lets them in at once: where they are signed in, links, passkeys and the token; the calendar addresses ' +
    'that they made end too. What they did stays under their id. The last owner stays.',
  effect: 'remove',
  input: { type: 'object', required: ['staff_id'], properties: { staff_id: staffId } },
  output: staffOutput,
  summary: ({ staff: { name } }) => `${name} is let in no more.`,
  async handle(context) {
    const { input, caller, db, now } = context
    return { staff: await toStaff(await removeMember(db, input.staff_id, byCaller(caller), now), context) }
  },
})
