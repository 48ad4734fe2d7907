/** Opens a mail to just this address: what may stand in one would else name further addresses, or words. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

/** Dials, whichever way the number is written. */
export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`
