import { companyAccessEnd } from '../../../core/authentication/company-accounts.ts'
import {
  ProviderError,
  readProvider,
  readProviderKeys,
  withProvider,
} from '../../../core/authentication/company-provider.ts'
import {
  companySignInLock,
  companySignInReplace,
  storedCompanySignIn,
} from '../../../core/business/company-sign-in-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { parseUrl } from '../../../infra/net/parse-url.ts'
import { oneLine } from '../../../infra/util/plain-text.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { SetCompanySignIn } from '../../../protocol/types.generated.ts'
import {
  companySignInMembers,
  companySignInOutput,
  describeCompanySignIn,
  MAX_CLIENT_CHARACTERS,
  nameOf,
  onCompanySignIn,
} from './company-sign-in-schema.ts'
import { secretToStore } from './secret-to-store.ts'

type Input = SetCompanySignIn['input']

export const setCompanySignIn = defineOperation<SetCompanySignIn & { needs: Dependencies<'companySignInKey'> }>({
  ...onCompanySignIn,
  id: 'setCompanySignIn',
  rest: 'PUT /business/company_sign_in',
  tool: 'usp_business_company_sign_in_set',
  title: 'Set the company sign-in',
  description:
    'Stores the OpenID Connect provider with which staff sign in. A new provider, client or secret takes effect when an ' +
    'owner has tested it at the desk.',
  effect: 'update',
  hasSecretInput: true,
  input: {
    type: 'object',
    required: ['name', 'issuer', 'client_id', 'domains', 'rules'],
    properties: {
      ...companySignInMembers,
      client_secret: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_CLIENT_CHARACTERS,
        description: 'The client secret. Leave it out to keep the stored one for the same issuer and client id.',
      },
    },
  },
  output: companySignInOutput,
  summary: ({ company_sign_in: settings }) => `The company sign-in is with ${settings?.name}.`,
  async prepare({ input, config }) {
    refuseInvalid(input)
    await refuseUnusable(input.issuer, config)
  },
  async handle(context) {
    const { input, db, caller, now, companySignInKey } = context
    const { issuer, client_id, domains, rules, default_role = null } = input
    await companySignInLock(db)
    const before = await storedCompanySignIn(db)
    const isSameClient = before?.issuer === issuer && before.client_id === client_id
    const client_secret = secretToStore(input.client_secret, {
      stored: isSameClient ? before.client_secret : undefined,
      key: companySignInKey,
      refusal: () => invalidInput('Enter the secret: none is stored for this issuer and client id.', '$.client_secret'),
    })
    const tested_at = isSameClient && input.client_secret === undefined ? before.tested_at : null
    const settings = { name: oneLine(input.name), issuer, client_id, client_secret, domains, rules, default_role }
    await companySignInReplace(db, { ...settings, tested_at })
    // A subject belongs to one issuer, and at some providers also to one client.
    if (before && !isSameClient) await companyAccessEnd(db)
    const detail = { before: before ? nameOf(before) : null, now: nameOf(settings) }
    const entry = { actor: caller.principal, subject: 'business', from: null, to: null }
    insertAuditEntry(db, { ...entry, action: 'set_company_sign_in', detail }, now)
    return describeCompanySignIn(context)
  },
})

function refuseInvalid({ name, issuer, domains, rules, default_role }: Input): void {
  if (oneLine(name) === '') throw invalidInput('The name has no visible character.', '$.name')
  const url = parseUrl(issuer)
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw invalidInput('Enter the https URL of the issuer, without a query.', '$.issuer')
  if (domains.length === 0 && rules.length === 0)
    throw invalidInput('Enter a domain or a rule. Otherwise, nobody could enter.', '$.domains')
  // Without a domain, the default role would let everybody with an account at the provider in.
  if (domains.length === 0 && default_role !== undefined)
    throw invalidInput('A default role needs a domain.', '$.default_role')
}

/** Refuses a provider that does not answer, or publishes no usable data. */
async function refuseUnusable(issuer: string, config: Config): Promise<void> {
  try {
    await withProvider(config, async (fetchJson) => readProviderKeys(await readProvider(issuer, fetchJson), fetchJson))
  } catch (error) {
    throw error instanceof ProviderError ? invalidInput(error.message, '$.issuer') : error
  }
}
