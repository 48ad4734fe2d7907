/**
 * Returns the query parameters that the booking form passes to its next step: the day, the person or room, the time and
 * the customer.
 */
export const carriedQuery = (query: URLSearchParams) =>
  Object.fromEntries([...query].filter(([name]) => ['date', 'with', 'at', 'for'].includes(name)))
