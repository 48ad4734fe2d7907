import type { Operation } from '../../protocol/define-operation.ts'
import { deleteRegistration } from './listings/delete-registration.ts'
import { getRegistration } from './listings/get-registration.ts'
import { registerBusiness } from './listings/register-business.ts'
import { updateRegistration } from './listings/update-registration.ts'
import { searchBusinesses } from './search/search-businesses.ts'
import { searchServices } from './search/search-services.ts'

export const operations: Operation[] = [
  registerBusiness,
  getRegistration,
  updateRegistration,
  deleteRegistration,
  searchBusinesses,
  searchServices,
]
