/** Narrow and thin spaces of times read as any other. */
export const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ')
