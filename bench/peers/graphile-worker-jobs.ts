// Graphile Worker: the job is a row of the same transaction, and its worker listens for it.

import { Logger, run } from 'graphile-worker'
import { CONCURRENCY, type OpenJobs, QUEUE } from './jobs.ts'

/** Errors are shown; the lines about each job would cost it time. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`graphile-worker: ${message}\n`)
})

export const openGraphileWorker: OpenJobs = async ({ databaseUrl }, work) => {
  await run({
    connectionString: databaseUrl,
    concurrency: CONCURRENCY,
    maxPoolSize: 16,
    noHandleSignals: true,
    noPreparedStatements: false,
    logger,
    taskList: { [QUEUE]: async (payload) => await work((payload as { id: string }).id) },
  })
  return {
    enqueue: (client, id) =>
      client.query('SELECT graphile_worker.add_job($1, $2::json)', [QUEUE, JSON.stringify({ id })]),
    committed: () => undefined,
  }
}
