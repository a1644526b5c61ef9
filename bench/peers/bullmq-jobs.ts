// BullMQ alone: the job goes to Redis after the commit, so a process that dies in between loses it.

import { Queue, Worker } from 'bullmq'
import { CONCURRENCY, type OpenJobs, QUEUE } from './jobs.ts'

const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true }

export const openBullmq: OpenJobs = async ({ redisUrl }, work) => {
  const connection = { url: redisUrl, maxRetriesPerRequest: null }
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: KEEP_NOTHING })
  const worker = new Worker(QUEUE, async ({ data }) => await work(data.id), {
    connection,
    concurrency: CONCURRENCY,
  })
  worker.on('error', (error) => process.stderr.write(`BullMQ: ${error}\n`))
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
  return {
    enqueue: async () => undefined,
    committed: (id) => queue.add(QUEUE, { id }),
  }
}
