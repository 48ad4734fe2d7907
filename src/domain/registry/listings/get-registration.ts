import { defineOperation } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { GetRegistration } from '../../../protocol/types.generated.ts'
import { byId, onRegistrations } from './operation-defaults.ts'
import { registrationOf } from './registration-queries.ts'
import { answerOf } from './registration-response.ts'

export const getRegistration = defineOperation<GetRegistration>({
  ...onRegistrations,
  id: 'getRegistration',
  rest: 'GET /registry/businesses/{id}',
  tool: 'usp_registry_get',
  title: 'Get a listing',
  description: 'Returns the listing of one business, and whether searches show it.',
  access: 'public',
  effect: 'read',
  input: byId,
  async handle({ input, db }) {
    const found = await registrationOf(db, input.id)
    if (!found) throw new ProtocolError('registration_not_found', `There is no registration with the id ${input.id}.`)
    return answerOf(found)
  },
})
