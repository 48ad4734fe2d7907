/** Replaces narrow and thin spaces in times by normal spaces. */
export const withPlainSpaces = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ')
