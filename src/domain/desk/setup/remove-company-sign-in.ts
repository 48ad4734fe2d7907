import { companyAccessEnd } from '../../../core/authentication/company-accounts.ts'
import {
  companySignInDelete,
  companySignInLock,
  storedCompanySignIn,
} from '../../../core/business/company-sign-in-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { RemoveCompanySignIn } from '../../../protocol/types.generated.ts'
import { companySignInOutput, describeCompanySignIn, nameOf, onCompanySignIn } from './company-sign-in-schema.ts'

export const removeCompanySignIn = defineOperation<RemoveCompanySignIn>({
  ...onCompanySignIn,
  id: 'removeCompanySignIn',
  rest: 'DELETE /business/company_sign_in',
  tool: 'usp_business_company_sign_in_remove',
  title: 'Remove the company sign-in',
  description: 'Deletes the provider and its secret, and ends all sessions that began with it. Staff members stay.',
  effect: 'remove',
  input: { type: 'object', properties: {} },
  output: companySignInOutput,
  summary: () => 'The company sign-in is removed.',
  async handle(context) {
    const { db, caller, now } = context
    await companySignInLock(db)
    const before = await storedCompanySignIn(db)
    if (before) {
      await companySignInDelete(db)
      await companyAccessEnd(db)
      const entry = { actor: caller.principal, subject: 'business', from: null, to: null }
      insertAuditEntry(db, { ...entry, action: 'remove_company_sign_in', detail: { before: nameOf(before) } }, now)
    }
    return describeCompanySignIn(context)
  },
})
