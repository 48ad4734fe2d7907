import { oneLine, plainText } from '../../../infra/util/plain-text.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { NoteCustomer } from '../../../protocol/types.generated.ts'
import { customersLock } from './customer-queries.ts'
import { customerId, onCustomer, tags, toCustomer } from './customer-schema.ts'
import { findPerson, writeNote } from './find-customer-record.ts'

export const LONGEST_NOTE = 5000

export const noteCustomer = defineOperation<NoteCustomer>({
  ...onCustomer,
  id: 'noteCustomer',
  rest: 'POST /business/customers/{customer_id}/note',
  tool: 'usp_business_customers_note',
  title: 'Write a note on a customer',
  description:
    'Stores notes and tags for the staff only; members that are left out stay unchanged. They are erased with ' +
    'the customer.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['customer_id'],
    properties: {
      customer_id: customerId,
      note: { type: 'string', maxLength: LONGEST_NOTE, description: 'The note; an empty text removes it.' },
      tags,
    },
  },
  async handle(context) {
    const { db, input } = context
    await customersLock(db)
    const person = await findPerson(db, input.customer_id)
    const { note = person.record?.note ?? '', tags: words = person.record?.tags ?? [] } = input
    const id = await writeNote(context, person, { note: plainText(note), tags: words.map(oneLine).filter(Boolean) })
    return toCustomer(await findPerson(db, id), id, context)
  },
})
