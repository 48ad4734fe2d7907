import { oneLine, plainText } from '../../basics/plain-text.ts'
import { changeInsert } from '../../journal/journal.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { NoteCustomer } from '../../protocol/types.generated.ts'
import { customerId, onCustomer, tags, toCustomer } from './customer-parts.ts'
import { customersLock, customerUpdate } from './customer-queries.ts'
import { keepRecord } from './keep-record.ts'
import { findPerson } from './person.ts'

export const LONGEST_NOTE = 5000

export const noteCustomer = defineOperation<NoteCustomer>({
  ...onCustomer,
  id: 'noteCustomer',
  rest: 'POST /business/customers/{customer_id}/note',
  tool: 'usp_business_customers_note',
  title: 'Note something of a customer',
  description: 'Notes what to know of somebody, for the staff alone; what is left out stays. It is erased with them.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['customer_id'],
    properties: {
      customer_id: customerId,
      note: { type: 'string', maxLength: LONGEST_NOTE, description: 'What to know; empty: nothing.' },
      tags,
    },
  },
  async handle(context) {
    const { db, input, caller, now } = context
    await customersLock(db)
    const person = await findPerson(db, input.customer_id)
    const id = await keepRecord(db, person, now)
    const { note = person.record?.note ?? '', tags: words = person.record?.tags ?? [] } = input
    await customerUpdate(db, { id, note: plainText(note), tags: words.map(oneLine).filter(Boolean) })
    // What was noted is not written into the journal, which nobody can take back.
    changeInsert(db, { actor: caller.principal, action: 'note', subject: `customer ${id}`, from: null, to: null }, now)
    return toCustomer(await findPerson(db, id), id, context)
  },
})
