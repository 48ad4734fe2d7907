/** No address is longer (RFC 5321). */
export const LONGEST_EMAIL = 254

/** Whether mail could be sent to it. Its length is looked at first: the pattern could not bear any. */
export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
