/** Whether the query is a telephone number in any notation. */
export const isPhoneNumber = (query: string): boolean => /^[\d\s()+./-]+$/.test(query) && /\d/.test(query)
