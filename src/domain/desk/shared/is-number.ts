/** Whether the query is a telephone number in any notation. */
export const isNumber = (query: string): boolean => /^[\d\s()+./-]+$/.test(query) && /\d/.test(query)
