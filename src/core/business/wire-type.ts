/** The protocol has no word for a table. */
export const wireType = (type: string) => (type === 'table' ? 'other' : type)
