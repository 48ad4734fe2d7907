import { aboutBusiness } from './about-business.ts'
import { book } from './book.ts'
import { bookingStatus } from './booking-status.ts'
import { findServices } from './find-services.ts'
import { findTimes } from './find-times.ts'
import { joinWaitlist } from './join-waitlist.ts'
import { serviceDetails } from './service-details.ts'
import type { AssistantTool } from './tool.ts'

/** What an assistant can do for somebody, in the order in which it mostly does. */
export const tools: readonly AssistantTool[] = [
  findServices,
  serviceDetails,
  aboutBusiness,
  findTimes,
  book,
  bookingStatus,
  joinWaitlist,
]
