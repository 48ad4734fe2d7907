import type { Check } from '../check.ts'
import { accessErrorChecks } from './access-errors.ts'
import { privilegedAccessChecks } from './access-privileged.ts'
import { publicAccessChecks } from './access-public.ts'
import { clientCertificateChecks } from './client-certificates.ts'
import { unboundCredentialChecks } from './credential-unbound.ts'
import { credentialUseChecks } from './credential-use.ts'
import { credentialIssueChecks } from './credentials.ts'
import { identityBindingChecks } from './identity-binding.ts'
import { oauthChecks } from './oauth.ts'
import { proofArgumentsChecks } from './proof-arguments.ts'
import { proofContentsChecks } from './proof-contents.ts'
import { proofDowngradeChecks } from './proof-downgrade.ts'
import { proofIdentityChecks } from './proof-identity.ts'
import { proofKeyChecks } from './proof-key.ts'
import { proofReplayChecks } from './proof-replay.ts'
import { proofRequestChecks } from './proof-request.ts'
import { proofStepChecks } from './proof-steps.ts'
import { registeredClientChecks } from './registered-clients.ts'
import { signatureCoverageChecks } from './signature-coverage.ts'
import { signatureFormChecks } from './signature-form.ts'
import { signatureKeyChecks } from './signature-keys.ts'
import { signedByBusinessChecks } from './signed-by-business.ts'
import { staffCredentialChecks } from './staff-credentials.ts'
import { transportChecks } from './transport.ts'

export const securityChecks: Check[] = [
  ...proofIdentityChecks,
  ...proofContentsChecks,
  ...proofKeyChecks,
  ...proofRequestChecks,
  ...proofArgumentsChecks,
  ...proofStepChecks,
  ...proofDowngradeChecks,
  ...proofReplayChecks,
  ...signatureCoverageChecks,
  ...signatureFormChecks,
  ...signatureKeyChecks,
  ...signedByBusinessChecks,
  ...credentialIssueChecks,
  ...credentialUseChecks,
  ...unboundCredentialChecks,
  ...publicAccessChecks,
  ...privilegedAccessChecks,
  ...accessErrorChecks,
  ...identityBindingChecks,
  ...oauthChecks,
  ...registeredClientChecks,
  ...staffCredentialChecks,
  ...clientCertificateChecks,
  ...transportChecks,
]
