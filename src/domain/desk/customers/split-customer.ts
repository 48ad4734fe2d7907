import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { SplitCustomer } from '../../../protocol/types.generated.ts'
import { contactsAssign, customerInsert, customersLock } from './customer-queries.ts'
import { customerId, onCustomer, toCustomer } from './customer-schema.ts'
import { ensureRecord, findPerson } from './find-customer-record.ts'

export const splitCustomer = defineOperation<SplitCustomer>({
  ...onCustomer,
  id: 'splitCustomer',
  rest: 'POST /business/customers/{customer_id}/split',
  tool: 'usp_business_customers_split',
  title: 'Split a customer',
  description:
    'States that an email address or phone number belongs to another person, for example when two people share ' +
    'the other one. Bookings under this contact move to a new customer, which is returned.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['customer_id', 'contact'],
    properties: {
      customer_id: customerId,
      contact: { type: 'string', minLength: 1, maxLength: 254, description: 'One of the contacts of the customer.' },
    },
  },
  async handle(context) {
    const { db, input, caller, now } = context
    const { customer_id, contact } = input
    await customersLock(db)
    const person = await findPerson(db, customer_id)
    if (!person.contacts.includes(contact) || person.contacts.length < 2)
      throw invalidInput('Name one of the contacts of a customer who has several.', '$.contact')
    const from = await ensureRecord(db, person, now)
    const to = await customerInsert(db, { note: '', tags: [] }, now)
    await contactsAssign(db, { contacts: [contact], to, from: [from] })
    const by = { actor: caller.principal, action: 'split', subject: `customer ${from}`, from: null, to: null }
    insertAuditEntry(db, { ...by, detail: { other: to } }, now)
    return toCustomer(await findPerson(db, to), to, context)
  },
})
