import { defineOperation } from '../../../protocol/operation.ts'
import type { DeleteRegistration } from '../../../protocol/types.generated.ts'
import { byId, onRegistrations } from './operation-parts.ts'
import { requireOwn } from './owners.ts'
import { ownRegistrationLock, registrationDelete } from './registration-queries.ts'

export const deleteRegistration = defineOperation<DeleteRegistration>({
  ...onRegistrations,
  id: 'deleteRegistration',
  rest: 'DELETE /registry/businesses/{id}',
  tool: 'usp_registry_delete',
  title: 'Remove a listing',
  description: 'Takes a business off this directory, and everything that was read of its catalogue with it.',
  access: 'privileged_platform',
  effect: 'remove',
  input: byId,
  output: { type: 'object', properties: {} },
  silent: true,
  summary: () => 'The business is not listed any more.',
  async handle({ input, caller, db }) {
    const { id } = requireOwn(await ownRegistrationLock(db, input.id, caller))
    await registrationDelete(db, id)
    return {}
  },
})
