import { getCustomer } from '../../domain/desk/customers/get-customer.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { GetCustomer } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'

export async function readCustomer(
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<GetCustomer['output'] | undefined> {
  try {
    const answer = await callAsStaff(getCustomer, { customer_id: id || '-' }, deskRequest, dependencies)
    return answer.refusal ? undefined : answer.result
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'not_found') return undefined
    throw error
  }
}
