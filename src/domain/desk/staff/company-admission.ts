import type { IdClaims } from '../../../core/authentication/company-provider.ts'
import { COMPANY_ROLES, type CompanyRole, type CompanySignIn } from '../../../core/business/company-sign-in-queries.ts'
import { readEmail } from '../../../infra/util/email-address.ts'

type Settings = Pick<CompanySignIn, 'issuer' | 'domains' | 'rules' | 'default_role'>

/** What the settings of the company sign-in allow to the owner of an ID token. */
export interface Admission {
  /** The email address, if the provider vouches for it and its domain is allowed. */
  email: string | undefined
  /** All email addresses in the token, also those for which the provider does not vouch. */
  claimedEmails: string[]
  /** The role of the rules. Undefined if no rule applies. */
  ruledRole: CompanyRole | undefined
  /** The role of a new staff member. Undefined if the settings create none for this person. */
  newRole: CompanyRole | undefined
}

export function admissionOf(claims: IdClaims, settings: Settings): Admission {
  const email = trustedEmail(claims, settings)
  const ruledRole = COMPANY_ROLES.find((role) =>
    settings.rules.some((rule) => rule.role === role && contains(claims[rule.claim], rule.value)),
  )
  const mayBeNew = email !== undefined || settings.domains.length === 0
  const newRole = mayBeNew ? (ruledRole ?? (email === undefined ? undefined : settings.default_role)) : undefined
  return { email, claimedEmails: emailsIn(claims), ruledRole, newRole: newRole ?? undefined }
}

const GOOGLE = 'https://accounts.google.com'
const ENTRA = 'https://login.microsoftonline.com/'

/**
 * Returns the email address if the provider vouches that its owner has the account, and if its domain is allowed. Google
 * vouches only for the addresses of an organization, which has the claim `hd`: a private Google account can keep an
 * address that its owner lost long ago. Entra sends no `email_verified`. Its claim `xms_edov` says that the organization
 * owns the domain of the address.
 */
function trustedEmail(claims: IdClaims, { issuer, domains }: Settings): string | undefined {
  const email = emailOf(claims.email)
  if (email === undefined) return undefined
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const isVerified =
    claims.email_verified === true ||
    (issuer.startsWith(ENTRA) && [true, 1, '1', 'true'].some((value) => value === claims.xms_edov))
  const isOfOrganization = issuer !== GOOGLE || (typeof claims.hd === 'string' && domains.includes(claims.hd))
  return isVerified && isOfOrganization && domains.includes(domain) ? email : undefined
}

const emailOf = (claim: unknown) => (typeof claim === 'string' ? readEmail(claim) : undefined)

const emailsIn = ({ email, preferred_username, upn }: IdClaims): string[] =>
  [email, preferred_username, upn].flatMap((claim) => emailOf(claim) ?? [])

/** Whether a claim is this text, or a list that contains it. */
const contains = (claim: unknown, value: string): boolean =>
  claim === value || (Array.isArray(claim) && claim.includes(value))
