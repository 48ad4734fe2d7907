import { COMPANY_ROLES, storedCompanySignIn } from '../../../core/business/company-sign-in-queries.ts'
import { zoneOf } from '../../../core/business/definition-facts.ts'
import { companyReturnUrl } from '../../../infra/config/company-sign-in-url.ts'
import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { atDesk, moment } from '../shared/operation-defaults.ts'

/**
 * Settings that all operations on the company sign-in share. Only owners may call these operations, because the provider
 * decides who enters.
 */
export const onCompanySignIn = { ...atDesk, role: 'owner' } as const

export const MAX_PROVIDER_NAME = 40
export const MAX_ISSUER_CHARACTERS = 500
export const MAX_CLIENT_CHARACTERS = 500
export const MAX_RULES = 20
export const MAX_CLAIM_CHARACTERS = 100
export const MAX_VALUE_CHARACTERS = 200

export const companySignInMembers = {
  name: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_PROVIDER_NAME,
    description: 'The name on the button, such as Google.',
  },
  issuer: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_ISSUER_CHARACTERS,
    description: 'The issuer URL, such as https://accounts.google.com.',
  },
  client_id: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_CLIENT_CHARACTERS,
    description: 'The client id at the provider.',
  },
  domains: {
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[a-z0-9-]{1,63}([.][a-z0-9-]{1,63}){1,7}$' },
    description: 'The domains of email addresses that may enter, such as example.com.',
  },
  rules: {
    type: 'array',
    maxItems: MAX_RULES,
    items: {
      type: 'object',
      required: ['claim', 'value', 'role'],
      properties: {
        claim: { type: 'string', minLength: 1, maxLength: MAX_CLAIM_CHARACTERS, description: 'Such as groups.' },
        value: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_VALUE_CHARACTERS,
          description: 'The claim is or contains it.',
        },
        role: { enum: COMPANY_ROLES, description: 'The role.' },
      },
    },
    description: 'Roles by claim, given at each sign-in. The highest role counts.',
  },
  default_role: { enum: COMPANY_ROLES, description: 'The role without a matching rule. Needs a domain.' },
} as const

export const companySignInOutput = {
  type: 'object',
  required: ['redirect_uri'],
  properties: {
    redirect_uri: { type: 'string', description: 'The redirect URI to enter at the provider.' },
    company_sign_in: {
      type: 'object',
      required: ['name', 'issuer', 'client_id', 'domains', 'rules'],
      description: 'The settings that an owner entered. The client secret is never shown.',
      properties: { ...companySignInMembers, tested_at: moment('When an owner tested them. Before, nobody enters.') },
    },
  },
} as const

/** Describes the company sign-in without its client secret. */
export async function describeCompanySignIn({ db, config, business }: Pick<Context, 'db' | 'config' | 'business'>) {
  const stored = await storedCompanySignIn(db)
  const redirect_uri = companyReturnUrl(config)
  if (!stored) return { redirect_uri }
  const { name, issuer, client_id, domains, rules, default_role, tested_at } = stored
  const company_sign_in = {
    ...{ name, issuer, client_id, domains, rules },
    ...(default_role !== null && { default_role }),
    ...(tested_at !== null && { tested_at: rfc3339Exact(await zoneOf({ business }), tested_at) }),
  }
  return { redirect_uri, company_sign_in }
}

/** Returns the name of a provider for the audit log, which never contains the client id or the secret. */
export const nameOf = ({ issuer }: { issuer: string }): string => new URL(issuer).host
