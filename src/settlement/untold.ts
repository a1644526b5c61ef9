// Closed batches that their gateway has not been told of.

/** In a statement's WHERE, as the index has it. */
export const UNTOLD = "status = 'closed' AND told_at IS NULL"

/**
 * When the gateway must be told, in real time. A worker of the version before closes a batch
 * without `tell_due_at`: its `due_at` is that instant.
 */
export const TELL_DUE = 'coalesce(tell_due_at, due_at)'

/** Tries that take about an hour: a gateway silent for so long needs a person. */
export const MANY_TRIES = 18
