import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetCompanySignIn } from '../../../protocol/types.generated.ts'
import { companySignInOutput, describeCompanySignIn, onCompanySignIn } from './company-sign-in-schema.ts'

export const getCompanySignIn = defineOperation<GetCompanySignIn>({
  ...onCompanySignIn,
  id: 'getCompanySignIn',
  rest: 'GET /business/company_sign_in',
  tool: 'usp_business_company_sign_in_get',
  title: 'Get the company sign-in',
  description: 'Returns the OpenID Connect provider with which staff sign in, without its secret.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: companySignInOutput,
  summary: ({ company_sign_in: settings }) =>
    settings ? `Staff sign in with ${settings.name}.` : 'There is no company sign-in.',
  handle: (context) => describeCompanySignIn(context),
})
