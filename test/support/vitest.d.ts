import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the embedded PostgreSQL of the run. */
    adminUrl: string
    /** The queue backend of the service under test. */
    backend: 'postgres' | 'redis'
    /** Whether a service works on all queues, and runs their rounds, unless its test says which. */
    hasRounds: boolean
  }
}
