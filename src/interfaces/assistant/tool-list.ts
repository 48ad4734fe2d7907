import { aboutBusiness } from './about-business-tool.ts'
import { answerOffer } from './accept-or-decline-offer-tool.ts'
import { bookTool } from './book-tool.ts'
import { bookingStatus } from './booking-status-tool.ts'
import { cancelBooking } from './cancel-booking-tool.ts'
import { findServices } from './find-services-tool.ts'
import { findTimes } from './find-times-tool.ts'
import { joinWaitlist } from './join-waitlist-tool.ts'
import { moveBooking } from './move-booking-tool.ts'
import { myBookings } from './my-bookings-tool.ts'
import { serviceDetails } from './service-details-tool.ts'
import { tellBusiness } from './tell-business-tool.ts'
import type { AssistantTool } from './tool-definition.ts'

/** Lists all tools of the interface for assistants, in the usual order of use. */
const listTools = (canMail: boolean): readonly AssistantTool[] => [
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

const [withMails, withoutMails] = [listTools(true), listTools(false)]

/** Returns all tools. `canMail` says whether the server can send mails. */
export const toolsOf = (canMail: boolean): readonly AssistantTool[] => (canMail ? withMails : withoutMails)

export const toolOf = (name: unknown): AssistantTool | undefined => withMails.find((tool) => tool.name === name)
