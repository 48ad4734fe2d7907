import type { Operation } from '../protocol/operation.ts'
import { deleteRegistration } from './delete-registration.ts'
import { getRegistration } from './get-registration.ts'
import { registerBusiness } from './register-business.ts'
import { searchBusinesses } from './search-businesses.ts'
import { searchServices } from './search-services.ts'
import { updateRegistration } from './update-registration.ts'

export const operations: Operation[] = [
  registerBusiness,
  getRegistration,
  updateRegistration,
  deleteRegistration,
  searchBusinesses,
  searchServices,
]
