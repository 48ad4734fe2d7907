import { addressOfAccount, normalizedEmail } from '../../domain/accounts/buyer-accounts.ts'
import type { BookingBuyer } from '../../protocol/types.generated.ts'
import { needsAddress, needsPhone } from '../booking-flow/buyer-form.ts'
import type { Chosen } from './chosen-slot.ts'
import { requireAccount } from './require-account.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

export interface Person {
  first_name: string
  last_name: string
  phone?: string
  notes?: string
}

/** A guest: a person who books without a sign-in. The server mails a code to the guest's email address. */
export interface Guest extends Person {
  email: string
  language?: string
}

export const personInput = {
  type: 'object',
  additionalProperties: false,
  required: ['first_name', 'last_name'],
  description: 'Only if you are signed in for them.',
  properties: {
    first_name: { type: 'string', minLength: 1, maxLength: 100 },
    last_name: { type: 'string', minLength: 1, maxLength: 100 },
    phone: { type: 'string', maxLength: 40, description: 'With country code: +12125550143.' },
    notes: { type: 'string', maxLength: 2000, description: 'What the business should know.' },
  },
}

export const guestInput = {
  ...personInput,
  description: 'If you are signed in for them; else only with email.',
  properties: {
    ...personInput.properties,
    email: {
      type: 'string',
      format: 'email',
      maxLength: 254,
      description: 'If you are not signed in, a code is mailed there.',
    },
    language: {
      type: 'string',
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      maxLength: 35,
      description: 'Language of the mails: en.',
    },
  },
}

/**
 * Returns the buyer data for a booking of the signed-in person. The email address comes from the account, because the
 * server has verified this address.
 */
export async function buyerOf(
  { first_name, last_name, phone }: Person,
  toolContext: ToolContext,
): Promise<BookingBuyer> {
  const email = await addressOfAccount(toolContext.dependencies.db, requireAccount(toolContext).buyer)
  if (email === undefined) throw new ToolError('The account no longer exists. Sign in again.')
  return { first_name, last_name, email, ...(phone !== undefined && { phone_number: phone }) }
}

/**
 * Returns the guest (a person without an account) who gets a mailed code. Returns undefined if the assistant is signed
 * in. Also returns undefined if the service needs a postal address, because the tool accepts no postal address.
 */
export function guestOf(
  chosen: Chosen,
  person: Person | Guest | undefined,
  { assistant }: ToolContext,
): Guest | undefined {
  if (!person || !('email' in person) || assistant || needsAddress(chosen.plan.service)) return undefined
  refuseWithoutPhone(chosen, person)
  return { ...person, email: normalizedEmail(person.email) }
}

/**
 * Throws an error if the service needs a phone number and the person has given none. Services by phone and services at
 * the buyer's address need a phone number.
 */
export function refuseWithoutPhone({ plan }: Pick<Chosen, 'plan'>, { phone }: Person): void {
  if (phone === undefined && needsPhone(plan.service))
    throw new ToolError("This requires the person's phone number. Ask them, and call book again with person.phone.")
}
