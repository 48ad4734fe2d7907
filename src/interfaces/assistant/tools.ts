import { aboutBusiness } from './about-business.ts'
import { answerOffer } from './answer-offer.ts'
import { bookTool } from './book.ts'
import { bookingStatus } from './booking-status.ts'
import { cancelBooking } from './cancel-booking.ts'
import { findServices } from './find-services.ts'
import { findTimes } from './find-times.ts'
import { joinWaitlist } from './join-waitlist.ts'
import { moveBooking } from './move-booking.ts'
import { myBookings } from './my-bookings.ts'
import { serviceDetails } from './service-details.ts'
import { tellBusiness } from './tell-business.ts'
import type { AssistantTool } from './tool.ts'

/** Returns all tools of the interface for assistants, in the usual order of use. */
export const toolsOf = (canMail: boolean): readonly AssistantTool[] => [
  findServices,
  serviceDetails,
  aboutBusiness,
  findTimes,
  bookTool(canMail),
  bookingStatus,
  joinWaitlist,
  myBookings,
  moveBooking,
  cancelBooking,
  answerOffer,
  tellBusiness,
]

const all = toolsOf(true)
export const toolOf = (name: unknown): AssistantTool | undefined => all.find((tool) => tool.name === name)
