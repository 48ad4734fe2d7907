import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetCustomer } from '../../../protocol/types.generated.ts'
import { customerId, onCustomer, toCustomer } from './customer-schema.ts'
import { findPerson } from './find-customer-record.ts'

export const getCustomer = defineOperation<GetCustomer>({
  ...onCustomer,
  id: 'getCustomer',
  rest: 'GET /business/customers/{customer_id}',
  tool: 'usp_business_customers_get',
  title: 'Read a customer',
  description: 'Returns a customer: contact data, notes, bookings, payments and the number of no-shows.',
  effect: 'read',
  input: { type: 'object', required: ['customer_id'], properties: { customer_id: customerId } },
  async handle(context) {
    const { db, input } = context
    return toCustomer(await findPerson(db, input.customer_id), input.customer_id, context)
  },
})
