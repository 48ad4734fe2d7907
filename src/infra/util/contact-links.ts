/** A mail link to exactly this address. The encoding stops a text from adding recipients or a message. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`
