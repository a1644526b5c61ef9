import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the embedded PostgreSQL that the run started. */
    adminUrl: string
    /** Which queue backend the service under test stands on. */
    backend: 'postgres' | 'redis'
  }
}
