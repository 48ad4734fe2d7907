import {
  companySignInDelete,
  companySignInLock,
  companySignInReplace,
  storedCompanySignIn,
} from '../../../core/business/company-sign-in-queries.ts'
import { type ResealStep, resealed } from '../../../core/keys/reencrypt-stored-secrets.ts'

/**
 * Re-encrypts the client secret of the company sign-in. If the former secret key cannot decrypt it, the function deletes
 * the settings, and an owner must enter them again.
 */
export const resealClientSecret: ResealStep = async (tx, { former, next }) => {
  await companySignInLock(tx)
  const stored = await storedCompanySignIn(tx)
  if (!stored) return
  const client_secret = resealed(stored.client_secret, { former: former.companySignIn, next: next.companySignIn })
  if (client_secret) await companySignInReplace(tx, { ...stored, client_secret })
  else await companySignInDelete(tx)
}
