/** Whether somebody looks for a telephone number, which is found by its digits, however it is written. */
export const isNumber = (query: string): boolean => /^[\d\s()+./-]+$/.test(query) && /\d/.test(query)
