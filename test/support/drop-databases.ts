import { afterAll } from 'vitest'
import { dropDatabases } from './database.ts'

// Vitest runs `afterAll` in reverse order: this first hook runs last, after the others have closed their connections.
afterAll(dropDatabases)
