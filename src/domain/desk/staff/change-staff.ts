import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ChangeStaff } from '../../../protocol/types.generated.ts'
import { byCaller, changeMember } from './manage-staff-members.ts'
import { emailOrNull, name, onStaff, role, staffId, staffOutput, toStaff, visibleName } from './staff-schema.ts'

export const changeStaff = defineOperation<ChangeStaff>({
  ...onStaff,
  id: 'changeStaff',
  rest: 'POST /business/staff/{staff_id}/change',
  tool: 'usp_business_staff_change',
  title: 'Change a member of the staff',
  description:
    'Changes the name, role or email address of a staff member; members that are left out stay unchanged. A ' +
    'new role takes effect at once in all browser sessions. Nobody can grant a higher role than their own, and ' +
    'there is always an owner.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['staff_id'],
    properties: { staff_id: staffId, name, role: role('The new role.'), email: emailOrNull },
  },
  output: staffOutput,
  summary: ({ staff }) => `${staff.name} is ${staff.role}.`,
  async handle(context) {
    const { input, caller, db, now } = context
    const wanted = omitUndefined({
      name: input.name === undefined ? undefined : visibleName(input.name),
      role: input.role,
      email: input.email?.toLowerCase() ?? input.email,
    })
    return {
      staff: await toStaff(
        await changeMember(db, input.staff_id, { change: wanted, by: byCaller(caller) }, now),
        context,
      ),
    }
  },
})
