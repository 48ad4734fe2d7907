import { afterAll } from 'vitest'
import { dropDatabases } from './database.ts'

// The first to be asked for is the last to run: whoever uses a database has let go of it.
afterAll(dropDatabases)
