import { companySignInTested } from '../../../core/business/company-sign-in-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { STAFF_PREFIX } from '../../../protocol/caller-types.ts'

/**
 * Records that an owner completed a sign-in with these settings, which now take effect. The company account of the test
 * is connected with nobody. Returns false if the settings changed since the test began.
 */
export async function recordCompanySignInTest(
  tx: UnitOfWork,
  { revision, ownerId }: { revision: string; ownerId: string },
  now: Date,
): Promise<boolean> {
  if (!(await companySignInTested(tx, revision, now))) return false
  const entry = { actor: `${STAFF_PREFIX}${ownerId}`, subject: 'business', from: null, to: null }
  insertAuditEntry(tx, { ...entry, action: 'test_company_sign_in' }, now)
  return true
}
