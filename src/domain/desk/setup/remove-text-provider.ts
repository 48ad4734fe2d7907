import {
  storedTextProvider,
  textProviderDelete,
  textProviderLock,
} from '../../../core/business/text-provider-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { RemoveTextProvider } from '../../../protocol/types.generated.ts'
import { describeTextProvider, nameOf, onTextProvider, textProviderOutput } from './text-provider-schema.ts'

export const removeTextProvider = defineOperation<RemoveTextProvider>({
  ...onTextProvider,
  id: 'removeTextProvider',
  rest: 'DELETE /business/text_provider',
  tool: 'usp_business_text_provider_remove',
  title: 'Remove the provider of text messages',
  description: 'Deletes the provider and its secret. This server then sends no text messages, not even waiting ones.',
  effect: 'remove',
  input: { type: 'object', properties: {} },
  output: textProviderOutput,
  summary: () => 'The provider of text messages is removed.',
  async handle(context) {
    const { db, caller, now } = context
    await textProviderLock(db)
    const before = await storedTextProvider(db)
    if (before) {
      await textProviderDelete(db)
      const entry = {
        actor: caller.principal,
        action: 'remove_text_provider',
        subject: 'business',
        from: null,
        to: null,
      }
      insertAuditEntry(db, { ...entry, detail: { before: nameOf(before) } }, now)
    }
    return describeTextProvider(context)
  },
  afterwards: ({ business, db }) => business.seenBy(db),
})
