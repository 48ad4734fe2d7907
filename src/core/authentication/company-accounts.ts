import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { secretDigest } from '../keys/encrypt-secrets.ts'

/** An account at the provider of the company. A subject is unique only within one issuer. */
export interface CompanyAccount {
  issuer: string
  subject: string
}

/**
 * Returns the staff member to whom a company account belongs. The id is null if the staff member was removed. Returns
 * undefined if the account has never entered.
 */
export async function companyAccountFind(
  tx: Database,
  { issuer, subject }: CompanyAccount,
): Promise<{ staff_id: string | null } | undefined> {
  return tx
    .selectFrom('company_accounts')
    .select('staff_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function hasCompanyAccount(tx: Database, staffId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('company_accounts')
    .select('subject')
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  return found !== undefined
}

export async function companyAccountConnect(
  tx: Database,
  { issuer, subject }: CompanyAccount,
  staff_id: string,
): Promise<void> {
  await tx
    .insertInto('company_accounts')
    .values({ issuer, subject, staff_id })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ staff_id }))
    .execute()
}

/** Disconnects a staff member from their company account. */
export async function companyAccountEnd(tx: Database, staffId: string): Promise<void> {
  await tx.deleteFrom('company_accounts').where('staff_id', '=', staffId).execute()
}

/**
 * Ends all access through the company sign-in: the sessions, and the connections of staff members to their company
 * accounts. The accounts of removed staff members stay out.
 */
export async function companyAccessEnd(tx: Database): Promise<void> {
  await tx.deleteFrom('staff_sessions').where('by_company', '=', true).execute()
  await tx.deleteFrom('company_accounts').where('staff_id', 'is not', null).execute()
}

/** Whether a removed staff member had one of these email addresses. */
export async function wasRemoved(tx: Database, emails: readonly string[]): Promise<boolean> {
  if (emails.length === 0) return false
  const found = await tx
    .selectFrom('removed_staff')
    .select('email_digest')
    .where('email_digest', 'in', emails.map(secretDigest))
    .executeTakeFirst()
  return found !== undefined
}

/** Records the email address of a staff member who is being removed. The address itself is not stored. */
export async function removedStaffRecord(tx: Database, staffId: string): Promise<void> {
  await sql`
    insert into removed_staff
    select sha256(convert_to(email, 'UTF8')) from staff where id = ${staffId} and email is not null
    on conflict do nothing`.execute(tx)
}
