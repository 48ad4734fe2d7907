import { defineOperation } from '../../../protocol/define-operation.ts'
import type { DeleteRegistration } from '../../../protocol/types.generated.ts'
import { byId, onRegistrations, requireOwn } from './operation-defaults.ts'
import { ownRegistrationLock, registrationDelete } from './registration-queries.ts'

export const deleteRegistration = defineOperation<DeleteRegistration>({
  ...onRegistrations,
  id: 'deleteRegistration',
  rest: 'DELETE /registry/businesses/{id}',
  tool: 'usp_registry_delete',
  title: 'Remove a listing',
  description: 'Removes a business from this directory, with everything that was indexed of its catalogue.',
  access: 'privileged_platform',
  effect: 'remove',
  input: byId,
  output: { type: 'object', properties: {} },
  silent: true,
  summary: () => 'The business is no longer listed.',
  async handle({ input, caller, db }) {
    const { id } = requireOwn(await ownRegistrationLock(db, input.id, caller))
    await registrationDelete(db, id)
    return {}
  },
})
