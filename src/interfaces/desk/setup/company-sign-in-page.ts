import type { IdClaims, ProviderFault } from '../../../core/authentication/company-provider.ts'
import { COMPANY_ROLES, type CompanySignIn } from '../../../core/business/company-sign-in-queries.ts'
import {
  MAX_CLAIM_CHARACTERS,
  MAX_CLIENT_CHARACTERS,
  MAX_ISSUER_CHARACTERS,
  MAX_PROVIDER_NAME,
  MAX_RULES,
  MAX_VALUE_CHARACTERS,
} from '../../../domain/desk/setup/company-sign-in-schema.ts'
import { getCompanySignIn } from '../../../domain/desk/setup/get-company-sign-in.ts'
import { admissionOf } from '../../../domain/desk/staff/company-admission.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { GetCompanySignIn } from '../../../protocol/types.generated.ts'
import { faultOfField } from '../../pages/form-error-summary.ts'
import { chooser } from '../../pages/form-inputs.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { problemsNote, type RefusedSettings } from './tested-settings.ts'

export const COMPANY_SIGN_IN_SECTION = 'company-sign-in'
export const COMPANY_SIGN_IN_PATH = `/desk/setup/${COMPANY_SIGN_IN_SECTION}`
/** Starts a sign-in that only tests the settings. */
export const COMPANY_TEST_PATH = '/desk/company-sign-in/test'

/** The fields of the form that can be wrong, in their order on the page. */
export const COMPANY_FIELDS = [
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'domains',
  'rules',
  'default_role',
] as const
export type CompanyField = (typeof COMPANY_FIELDS)[number]

export type RefusedCompanySignIn = RefusedSettings<CompanyField>

/** The result of a test: the verified claims of the account, or the reason why the test failed. */
export type CompanyTest = { claims: IdClaims; settings: CompanySignIn; fault?: never } | { fault: ProviderFault }

type Settings = NonNullable<GetCompanySignIn['output']['company_sign_in']>

/** The number of empty rules that the form offers below the stored rules. */
const EMPTY_RULES = 2

/**
 * The page for the provider of the company sign-in. An owner enters and tests the provider here. The page never shows
 * the stored secret.
 */
export async function companySignInPage(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  { refused, test }: { refused?: RefusedCompanySignIn; test?: CompanyTest } = {},
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  const answer = await callAsStaff(getCompanySignIn, {}, deskRequest, dependencies)
  const { redirect_uri = '', company_sign_in: stored } = answer.refusal ? {} : answer.result
  return {
    status: refused || test?.fault !== undefined ? 409 : 200,
    title: say('setup.company'),
    who,
    place: 'setup',
    body: html`${refused && problemsNote(refused, fieldLabel, localizer)}${test && testResult(test, localizer)}
<p>${say('setup.company.text')} <a href="/docs/company-sign-in">${say('setup.company.guide')}</a></p>
<p>${say('setup.company.redirect')}<br><code dir="ltr">${redirect_uri}</code></p>
${settingsForm(stored, refused, localizer)}
${stored && testPart(stored, localizer)}
${stored && html`<details class="below-form"><summary>${say('setup.company.remove')}</summary><form method="post" action="${COMPANY_SIGN_IN_PATH}"><p>${say('setup.company.remove.text')}</p><button class="danger" name="do" value="remove">${say('setup.company.remove')}</button></form></details>`}
<p class="below-form"><a class="way" href="/desk/setup">${say('desk.setup')}</a></p>`,
  }
}

const fieldLabel = (field: CompanyField, { say }: Localizer): string => say(`setup.company.${field}`)

function testPart({ name, tested_at }: Settings, { say }: Localizer): Content {
  const state =
    tested_at === undefined
      ? html`<p class="note wrong">${say('setup.company.untested')}</p>`
      : html`<p class="note">${say('setup.company.in_use', { provider: name })}</p>`
  return html`<h2>${say('setup.company.test')}</h2>${state}
<p>${say('setup.company.test.text')}</p><p><a class="button plain" href="${COMPANY_TEST_PATH}">${say('setup.company.test')}</a></p>`
}

function testResult(test: CompanyTest, { say }: Localizer): Content {
  if (test.fault !== undefined)
    return html`<p class="note wrong" role="alert">${say(`setup.company.test.${test.fault}`)}</p>`
  const { email, ruledRole, newRole } = admissionOf(test.claims, test.settings)
  const role = ruledRole ?? newRole
  return html`<div class="note" role="status"><p>${say('setup.company.test.done')}</p>
<p>${email === undefined ? say('setup.company.test.no_email') : say('setup.company.test.email', { email })}</p>
<p>${role === undefined ? say('setup.company.test.no_role') : say('setup.company.test.role', { role: say(`desk.role.${role}`) })}</p></div>`
}

function settingsForm(
  stored: Settings | undefined,
  refused: RefusedCompanySignIn | undefined,
  localizer: Localizer,
): Content {
  const { say } = localizer
  const fault = (name: CompanyField) => faultOfField(name, refused?.faults.get(name))
  const field = (
    name: 'name' | 'issuer' | 'client_id' | 'domains',
    value: string,
    attributes: Content,
    hint?: string,
  ) =>
    html`<div><label for="${name}">${fieldLabel(name, localizer)}${hint !== undefined && html` <span class="hint">${hint}</span>`}</label>${fault(name).error}
<input id="${name}" name="${name}" value="${refused?.form.get(name) ?? value}" autocomplete="off" spellcheck="false"${attributes}${fault(name).mark}></div>
`
  const roles = COMPANY_ROLES.toReversed().map((role) => [role, say(`desk.role.${role}`)] as const)
  const rules = refused ? rowsOf(refused.form) : (stored?.rules ?? [])
  const rows = [...rules, ...Array.from({ length: EMPTY_RULES }, () => ({ claim: '', value: '', role: 'staff' }))]
  return html`<form method="post" action="${COMPANY_SIGN_IN_PATH}">
<div class="two">${field('name', stored?.name ?? '', html` required maxlength="${MAX_PROVIDER_NAME}" placeholder="Google"`, say('setup.company.name.hint'))}
${field('issuer', stored?.issuer ?? '', html` required type="url" dir="ltr" maxlength="${MAX_ISSUER_CHARACTERS}" placeholder="https://accounts.google.com"`)}</div>
<div class="two">${field('client_id', stored?.client_id ?? '', html` required dir="ltr" maxlength="${MAX_CLIENT_CHARACTERS}"`)}
<div><label for="client_secret">${fieldLabel('client_secret', localizer)}</label>${fault('client_secret').error}
<input id="client_secret" name="client_secret" type="password" maxlength="${MAX_CLIENT_CHARACTERS}" autocomplete="new-password" dir="ltr"${stored && html` aria-describedby="secret-stored"`}${fault('client_secret').mark}>
${stored && html`<p class="hint" id="secret-stored">${say('setup.texts.secret.stored')}</p>`}</div></div>
${field('domains', stored?.domains.join(' ') ?? '', html` dir="ltr" maxlength="2000" placeholder="example.com"`, say('setup.company.domains.hint'))}
<fieldset class="ticks" id="rules"><legend>${say('setup.company.rules')}</legend>${fault('rules').error}<p class="hint">${say('setup.company.rules.hint')}</p>
${rows.slice(0, MAX_RULES).map(
  (
    { claim, value, role },
    index,
  ) => html`<div class="two"><div><label for="claim-${index}">${say('setup.company.claim')}</label><input id="claim-${index}" name="claim" value="${claim}" maxlength="${MAX_CLAIM_CHARACTERS}" autocomplete="off" spellcheck="false" dir="ltr" placeholder="groups"></div>
<div><label for="value-${index}">${say('setup.company.value')}</label><input id="value-${index}" name="value" value="${value}" maxlength="${MAX_VALUE_CHARACTERS}" autocomplete="off" spellcheck="false" dir="ltr"></div></div>
${chooser({ id: `role-${index}`, name: 'role', label: say('desk.people.role'), options: roles, chosen: [role] })}`,
)}</fieldset>
${fault('default_role').error}${chooser({ name: 'default_role', label: say('setup.company.default_role'), options: [['', say('setup.company.default_role.none')], ...roles], chosen: [refused?.form.get('default_role') ?? stored?.default_role ?? ''] })}
<button name="do" value="save">${say('desk.save')}</button></form>`
}

/** Returns the submitted rules. The form sends the three fields of each rule, also for the empty rules. */
export function rowsOf(form: URLSearchParams): { claim: string; value: string; role: string }[] {
  const [claims, values, roles] = [form.getAll('claim'), form.getAll('value'), form.getAll('role')]
  return claims
    .map((claim, index) => ({ claim: claim.trim(), value: values[index]?.trim() ?? '', role: roles[index] ?? '' }))
    .filter(({ claim, value }) => claim !== '' || value !== '')
}
