/** No address is longer (RFC 5321). */
export const LONGEST_EMAIL = 254

/** No domain ends in it (RFC 2606): it stands in where somebody gave no address, or is forgotten. */
const NOWHERE = '.invalid'

/** Whether nothing is ever received there. */
export const leadsNowhere = (email: string): boolean => email.toLowerCase().endsWith(NOWHERE)

/** Whether mail could be sent to it. Its length is looked at first: the pattern could not bear any. */
export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
