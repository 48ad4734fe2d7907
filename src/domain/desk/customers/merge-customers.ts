import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { MergeCustomers } from '../../../protocol/types.generated.ts'
import { contactsAssign, customerDelete, customersLock, customerUpdate } from './customer-queries.ts'
import { customerId, onCustomer, toCustomer } from './customer-schema.ts'
import { ensureRecord, findPerson } from './find-customer-record.ts'

export const mergeCustomers = defineOperation<MergeCustomers>({
  ...onCustomer,
  id: 'mergeCustomers',
  rest: 'POST /business/customers/{customer_id}/merge',
  tool: 'usp_business_customers_merge',
  title: 'Merge two customers',
  description:
    'States that two customers are the same person. Bookings, notes and tags of the other one move to this one.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['customer_id', 'other_id'],
    properties: {
      customer_id: customerId,
      other_id: { ...customerId, description: 'Id of the other customer, or of any booking of theirs.' },
    },
  },
  async handle(context) {
    const { db, input, caller, now } = context
    await customersLock(db)
    const one = await findPerson(db, input.customer_id)
    const id = await ensureRecord(db, one, now)
    const other = await findPerson(db, input.other_id)
    if (other.record?.id === id) return toCustomer(await findPerson(db, id), id, context)
    const from = other.record?.id
    await contactsAssign(db, { contacts: other.contacts, to: id, from: from === undefined ? [] : [from] })
    const notes = [one.record?.note, other.record?.note].filter(Boolean).join('\n')
    const tags = [...new Set([...(one.record?.tags ?? []), ...(other.record?.tags ?? [])])]
    await customerUpdate(db, { id, note: notes, tags })
    if (from !== undefined) await customerDelete(db, from)
    const by = { actor: caller.principal, action: 'merge', subject: `customer ${id}`, from: null, to: null }
    insertAuditEntry(db, { ...by, ...(from !== undefined && { detail: { other: from } }) }, now)
    return toCustomer(await findPerson(db, id), id, context)
  },
})
