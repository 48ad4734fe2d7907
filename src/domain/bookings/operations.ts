import type { Operation } from '../../protocol/define-operation.ts'
import { cancelBooking } from './cancel-booking.ts'
import { confirmBooking } from './confirm-booking.ts'
import { createBooking } from './create-booking.ts'
import { getBooking } from './get-booking.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { updateBooking } from './update-booking.ts'

export const operations: Operation[] = [
  createBooking,
  getBooking,
  updateBooking,
  confirmBooking,
  cancelBooking,
  rescheduleBooking,
]
