// Steps that do not depend on each other: one that fails must not keep the others from being done.

/** Does the steps in order, even if some throw. Then throws the error, or one that has them all. */
export async function doAll(steps: Iterable<() => unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length === 0) return
  const messages = new Set(errors.map((error) => (error instanceof Error ? error.message : error)))
  throw new AggregateError(errors, [...messages].join('; '), { cause: errors[0] })
}
