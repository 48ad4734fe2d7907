import { listStaff } from '../../../core/authentication/staff-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListStaff } from '../../../protocol/types.generated.ts'
import { onStaff, staffShape, toStaff } from './staff-schema.ts'

export const readStaff = defineOperation<ListStaff>({
  ...onStaff,
  id: 'listStaff',
  rest: 'GET /business/staff',
  tool: 'usp_business_staff_list',
  title: 'List the staff',
  description: 'Lists the staff members with their roles, when they were added, and when they last got a link.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: { type: 'object', required: ['staff'], properties: { staff: { type: 'array', items: staffShape } } },
  summary: ({ staff }) => (staff.length === 1 ? 'One person.' : `${staff.length} people.`),
  async handle(context) {
    const members = await listStaff(context.db)
    return { staff: await Promise.all(members.map((one) => toStaff(one, context))) }
  },
})
