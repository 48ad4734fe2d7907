import { expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import { familyOf } from '../../src/pipeline/check-rate.ts'

test('[calls are counted by what they are about] each operation in one family', () => {
  const families = Map.groupBy(operations, (operation) => familyOf({ operation }))
  const { staff, ...others } = Object.fromEntries(
    [...families].map(([family, ones]) => [family, ones.map(({ id }) => id).toSorted()]),
  )
  expect(others).toEqual({
    availability: ['queryAvailability'],
    bookings: ['cancelBooking', 'confirmPayment', 'createBooking', 'getBooking', 'rescheduleBooking', 'updateBooking'],
    catalogue: ['getService', 'getServiceFeed', 'listServices', 'lookupServices'],
    holds: ['holdSlot', 'releaseHold'],
    other: [
      ...['acceptOffer', 'cancelFeedSubscription', 'createFeedSubscription', 'declineOffer', 'deleteRegistration'],
      ...['getFeedSubscription', 'getRegistration', 'getWaitlistEntry', 'joinWaitlist', 'leaveWaitlist'],
      ...['listWaitlistEntries', 'pauseFeedSubscription', 'registerBusiness', 'resumeFeedSubscription'],
      ...['searchBusinesses', 'searchServices', 'updateRegistration'],
    ],
  })
  expect(staff).toEqual(
    operations
      .filter(({ access }) => access === 'business_only')
      .map(({ id }) => id)
      .toSorted(),
  )
})
