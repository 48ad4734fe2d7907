import { COMPANY_ROLES } from '../../../core/business/company-sign-in-queries.ts'
import { removeCompanySignIn } from '../../../domain/desk/setup/remove-company-sign-in.ts'
import { setCompanySignIn } from '../../../domain/desk/setup/set-company-sign-in.ts'
import type { Message as Refusal, SetCompanySignIn } from '../../../protocol/types.generated.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { refusalText } from '../../pages/refusal-texts.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { Answer } from '../desk-page.ts'
import {
  COMPANY_FIELDS,
  COMPANY_SIGN_IN_PATH,
  type CompanyField,
  companySignInPage,
  rowsOf,
} from './company-sign-in-page.ts'

/** Runs the action of the pressed button on the page about the company sign-in. */
export async function changeCompanySignIn(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const form = formOf(deskRequest.request)
  switch (form.get('do')) {
    case 'save':
      return save(form, deskRequest, dependencies)
    case 'remove':
      await callAsStaff(removeCompanySignIn, {}, deskRequest, dependencies)
      return { to: COMPANY_SIGN_IN_PATH }
    default:
      return companySignInPage(deskRequest, dependencies)
  }
}

async function save(form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { localizer } = deskRequest.request
  const answer = await callAsStaff(setCompanySignIn, inputOf(form), deskRequest, dependencies)
  if (!answer.refusal) return { to: `${COMPANY_SIGN_IN_PATH}?saved` }
  const field = fieldOf(answer.refusal)
  const refused =
    field === undefined
      ? { form, faults: new Map(), problem: refusalText(answer.refusal.code, localizer) }
      : { form, faults: new Map([[field, localizer.say(`setup.company.fault.${field}`)]]) }
  return companySignInPage(deskRequest, dependencies, { refused })
}

function inputOf(form: URLSearchParams): SetCompanySignIn['input'] {
  const text = (name: CompanyField) => form.get(name)?.trim() ?? ''
  const role = (name: string) => COMPANY_ROLES.find((one) => one === name)
  const [secret, defaultRole] = [form.get('client_secret')?.trim() ?? '', role(text('default_role'))]
  return {
    name: text('name'),
    issuer: text('issuer'),
    client_id: text('client_id'),
    ...(secret !== '' && { client_secret: secret }),
    domains: [
      ...new Set(
        text('domains')
          .toLowerCase()
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ],
    rules: rowsOf(form).map((row) => ({ ...row, role: role(row.role) ?? 'viewer' })),
    ...(defaultRole && { default_role: defaultRole }),
  }
}

/** Returns the field that the server refused. The path of a wrong domain or rule is longer than the path of its field. */
const fieldOf = ({ path = '' }: Refusal): CompanyField | undefined =>
  COMPANY_FIELDS.find((field) => field === /^\$\.(\w+)/.exec(path)?.[1])
