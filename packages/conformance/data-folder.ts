/** The rules, schemas and certificates. The folder is beside this file, and beside the built file. */
export const DATA_FOLDER = new URL('./data/', import.meta.url)
