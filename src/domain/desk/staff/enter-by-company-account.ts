import {
  type CompanyAccount,
  companyAccountConnect,
  companyAccountFind,
  hasCompanyAccount,
  wasRemoved,
} from '../../../core/authentication/company-accounts.ts'
import type { IdClaims } from '../../../core/authentication/company-provider.ts'
import {
  type StaffMember,
  staffLock,
  staffOfEmail,
  staffOfId,
  subjectOf,
} from '../../../core/authentication/staff-members.ts'
import { isCurrentCompanySignIn, type StoredCompanySignIn } from '../../../core/business/company-sign-in-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { oneLine } from '../../../infra/util/plain-text.ts'
import { STAFF_PREFIX } from '../../../protocol/caller-types.ts'
import { isStorable } from '../../../protocol/parse-json-safely.ts'
import { type Admission, admissionOf } from './company-admission.ts'
import { addMember, changeMember } from './manage-staff-members.ts'
import { LONGEST_NAME } from './staff-schema.ts'

/** The settings of the company sign-in act like the operator: an owner has decided what they may do. */
const BY_COMPANY = { actor: 'company sign-in', staff: null }

/**
 * Returns the id of the staff member who enters with a company account. Connects the account with an existing staff
 * member, or creates one, if the settings allow it. Returns undefined for everybody who must stay out.
 */
export async function enterByCompanyAccount(
  tx: UnitOfWork,
  claims: IdClaims,
  settings: StoredCompanySignIn,
  now: Date,
): Promise<string | undefined> {
  if (!(await isCurrentCompanySignIn(tx, settings.revision)) || settings.tested_at === null) return undefined
  await staffLock(tx)
  const account = { issuer: settings.issuer, subject: claims.sub }
  const admission = admissionOf(claims, settings)
  const known = await companyAccountFind(tx, account)
  if (known?.staff_id != null) {
    const member = await staffOfId(tx, known.staff_id)
    return member && withRuledRole(tx, member, { admission, settings }, now)
  }
  const member = admission.email === undefined ? undefined : await staffOfEmail(tx, admission.email)
  if (!member) return known ? undefined : createMember(tx, claims, { account, admission }, now)
  // The company may have given the address of one person to another one, who must not get the access of the first.
  if (await hasCompanyAccount(tx, member.id)) return undefined
  const entering = await withRuledRole(tx, member, { admission, settings }, now)
  if (entering !== undefined) await connect(tx, account, entering, now)
  return entering
}

/**
 * Gives a staff member the role of the rules. Without rules, the staff member keeps the role that the desk gave. Owners
 * always keep their role. Returns undefined if no rule applies and there is no default role.
 */
async function withRuledRole(
  tx: UnitOfWork,
  { id, role: before }: StaffMember,
  { admission, settings }: { admission: Admission; settings: StoredCompanySignIn },
  now: Date,
): Promise<string | undefined> {
  if (before === 'owner' || settings.rules.length === 0) return id
  const role = admission.ruledRole ?? settings.default_role
  if (role === null) return undefined
  if (role !== before) await changeMember(tx, id, { change: { role }, by: BY_COMPANY }, now)
  return id
}

async function createMember(
  tx: UnitOfWork,
  claims: IdClaims,
  { account, admission }: { account: CompanyAccount; admission: Admission },
  now: Date,
): Promise<string | undefined> {
  const { email = null, claimedEmails, newRole } = admission
  if (newRole === undefined || (await wasRemoved(tx, claimedEmails))) return undefined
  // An address for which the provider does not vouch creates no second staff member beside the one with this address.
  for (const claimed of claimedEmails) if (await staffOfEmail(tx, claimed)) return undefined
  const name = nameIn(claims) ?? claimedEmails[0] ?? claims.sub
  const { id } = await addMember(tx, { name, role: newRole, email }, { by: BY_COMPANY, action: 'add' }, now)
  await connect(tx, account, id, now)
  return id
}

async function connect(tx: UnitOfWork, account: CompanyAccount, id: string, now: Date): Promise<void> {
  await companyAccountConnect(tx, account, id)
  const entry = { actor: `${STAFF_PREFIX}${id}`, subject: subjectOf(id), from: null, to: null }
  insertAuditEntry(tx, { ...entry, action: 'connect_company_account' }, now)
}

function nameIn({ name }: IdClaims): string | undefined {
  if (typeof name !== 'string' || !isStorable(name)) return undefined
  const visible = oneLine(name).slice(0, LONGEST_NAME).toWellFormed()
  return visible === '' ? undefined : visible
}
