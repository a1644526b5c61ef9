// A worker that waits before it asks its store again. BullMQ waits only after a lost connection; it
// asks at once after any other error, and a store that is full answers each time with one.

import { setTimeout as delay } from 'node:timers/promises'
import {
  type ConnectionOptions,
  type IQueueBackend,
  type JobProgress,
  type RedisQueueBackend,
  Worker,
} from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import type { JobData } from './catalogue.ts'

export class PatientWorker<
  Backend extends IQueueBackend = RedisQueueBackend,
  Connection = ConnectionOptions,
> extends Worker<JobData, unknown, string, Backend, JobProgress, Connection> {
  protected override async moveToActive(token: string, name?: string) {
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      await delay(SECOND)
      throw error
    }
  }
}
