// pg-boss: the job is a row of the same transaction. Its own worker looks at most twice a second, so a
// loop of ours fetches as soon as something was committed, which is faster for it.

import PgBoss from 'pg-boss'
import { CONCURRENCY, type OpenJobs, QUEUE } from './jobs.ts'

interface Data {
  readonly id: string
}

export const openPgBoss: OpenJobs = async ({ databaseUrl }, work) => {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 16 })
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error}\n`))
  await boss.start()
  await boss.createQueue(QUEUE)
  let isFetching = false
  let isMore = false

  /** One fetch at a time: further ones meanwhile would find the same rows locked. */
  async function fetchAll(): Promise<void> {
    isMore = true
    if (isFetching) return
    isFetching = true
    while (isMore) {
      isMore = false
      const jobs = await boss.fetch<Data>(QUEUE, { batchSize: CONCURRENCY })
      if (jobs.length === 0) continue
      isMore = true
      void carryOut(jobs)
    }
    isFetching = false
  }

  async function carryOut(jobs: readonly PgBoss.Job<Data>[]): Promise<void> {
    await Promise.all(jobs.map(({ data }) => work(data.id)))
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
    )
  }

  return {
    enqueue: (client, id) =>
      boss.send(
        QUEUE,
        { id },
        { db: { executeSql: async (text, values) => await client.query(text, values) } },
      ),
    async committed() {
      await fetchAll()
    },
  }
}
