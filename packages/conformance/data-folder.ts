/**
 * The folder with the rules, schemas and certificates. The folder is next to this file, and also next to the built
 * file.
 */
export const DATA_FOLDER = new URL('./data/', import.meta.url)
