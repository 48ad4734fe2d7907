import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { GetWaitlistEntry } from '../../protocol/types.generated.ts'
import { entryInput, entryOutput, entrySummary, onEntry, toEntry } from './entry-response.ts'
import { readEntry } from './read-and-lock-entry.ts'

export const getWaitlistEntry = defineOperation<GetWaitlistEntry>({
  ...onEntry,
  id: 'getWaitlistEntry',
  rest: 'GET /waitlist/{entry_id}',
  tool: 'usp_waitlist_get',
  title: 'Read a waitlist entry',
  description: 'Returns a waitlist entry of the caller: its position, the offered slot, and when the offer ends.',
  effect: 'read',
  input: entryInput,
  output: entryOutput,
  summary: entrySummary,
  async handle(context) {
    return { entry: toEntry(await readEntry(context, context.input.entry_id), context.tag, await zoneOf(context)) }
  },
})
