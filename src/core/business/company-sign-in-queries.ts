import { sql } from 'kysely'
import type { Database, Tx } from '../../infra/db/database.ts'

/** The roles that the provider of the company can give. Only an owner can make a staff member an owner. */
export const COMPANY_ROLES = ['manager', 'staff', 'viewer'] as const
export type CompanyRole = (typeof COMPANY_ROLES)[number]

/** A rule such as: if the claim `groups` contains the value `salon-managers`, the role is `manager`. */
export interface RoleRule {
  claim: string
  value: string
  role: CompanyRole
}

/**
 * The OpenID Connect provider that an owner entered on the staff pages. The database stores the secret only encrypted.
 */
export interface CompanySignIn {
  /** The name of the provider on the sign-in button. */
  name: string
  issuer: string
  client_id: string
  client_secret: Buffer
  /** The domains of email addresses that may enter. If the list is empty, only the rules decide. */
  domains: string[]
  rules: RoleRule[]
  /** The role of people to whom no rule applies. */
  default_role: CompanyRole | null
  /** When an owner tested the settings. Nobody can sign in with settings that are not tested. */
  tested_at: Date | null
}

export type StoredCompanySignIn = CompanySignIn & { revision: string }

/** Lets only one transaction at a time change the company sign-in. The lock lasts until the transaction ends. */
export async function companySignInLock(tx: Tx): Promise<void> {
  await sql`lock table company_sign_in in share row exclusive mode`.execute(tx)
}

export async function storedCompanySignIn(db: Database): Promise<StoredCompanySignIn | undefined> {
  const { rows } = await sql<StoredCompanySignIn>`
    select revision, name, issuer, client_id, client_secret, domains, rules, default_role, tested_at
    from company_sign_in`.execute(db)
  return rows[0]
}

/**
 * Whether these settings still apply. If so, the function locks them until the transaction ends. Without the lock, a
 * session could begin while an owner removes the company sign-in.
 */
export async function isCurrentCompanySignIn(tx: Database, revision: string): Promise<boolean> {
  const { rows } = await sql`select from company_sign_in where revision = ${revision} for share`.execute(tx)
  return rows.length > 0
}

/** Replaces the stored settings. The transaction must hold the lock. Each new row gets a new revision. */
export async function companySignInReplace(tx: Tx, settings: CompanySignIn): Promise<void> {
  await companySignInDelete(tx)
  const { name, issuer, client_id, client_secret, domains, rules, default_role, tested_at } = settings
  await sql`
    insert into company_sign_in
      (name, issuer, client_id, client_secret, domains, rules, default_role, tested_at)
    values (${name}, ${issuer}, ${client_id}, ${client_secret}, ${domains}::text[], ${JSON.stringify(rules)}::jsonb,
      ${default_role}, ${tested_at}::timestamptz)`.execute(tx)
}

export async function companySignInDelete(tx: Tx): Promise<void> {
  await sql`delete from company_sign_in`.execute(tx)
}

/** Records that an owner tested these settings. Returns false if they changed since the test began. */
export async function companySignInTested(tx: Tx, revision: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update company_sign_in set tested_at = ${now} where revision = ${revision} returning revision`.execute(tx)
  return rows.length > 0
}
