import type { Operation } from '../protocol/operation.ts'
import { deleteRegistration } from './delete-registration.ts'
import { getRegistration } from './get-registration.ts'
import { registerBusiness } from './register-business.ts'
import { updateRegistration } from './update-registration.ts'

export const operations: Operation[] = [registerBusiness, getRegistration, updateRegistration, deleteRegistration]
