import type { JobData } from './catalogue.ts'
import type { JobQueue } from './engine.ts'

/** One alone goes alone: many need temporary tables where the store is PostgreSQL. */
export async function addJobs(
  queue: JobQueue,
  jobs: readonly { readonly name: string; readonly data: JobData }[],
): Promise<void> {
  const [first, ...others] = jobs
  if (first !== undefined && others.length === 0) await queue.add(first.name, first.data)
  else await queue.addBulk([...jobs])
}
