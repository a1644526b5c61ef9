// The queues as other modules use them: a way to nudge, never a store of data.

import type { Cutoff } from '../core/business-day.ts'
import { chunksOf } from '../core/chunks.ts'
import { isOff } from '../core/clock-skew.ts'
import { doAll } from '../core/do-all.ts'
import { gather } from '../core/gather.ts'
import { SECOND } from '../core/time-units.ts'
import { withResolvers } from '../core/with-resolvers.ts'
import { isDoneWithin } from '../core/within.ts'
import type { SharedClock } from '../outside/clock.ts'
import type { Timings } from '../timings.ts'
import { type JobData, jobKind, QUEUE_NAMES, type QueueName, type RowItem } from './catalogue.ts'
import type { Engine, JobProcessor, JobQueue, JobWorker, OnEngineError } from './engine.ts'
import { ensureSchedulers } from './ensure-schedulers.ts'
import {
  delayUntil,
  jobOptions,
  type OverdueRow,
  overdueJobId,
  overdueOptions,
  workerOptions,
} from './job-options.ts'
import type { Replies } from './replies.ts'
import { RoundStarter } from './round-starter.ts'

/** After a failed nudge the store is left alone for a moment: the sweep will find the rows. */
const QUIET_MS = SECOND

/** Later nudges are rounded to this, so that many rows share a job. */
const MOMENT_MS = 100

/** How long workers without jobs may take to tell their store so. */
const CLOSING_MS = 2 * SECOND

/** How long rows are gathered for a job that is due later. */
const GATHERING_MS = 5

export class Queues {
  readonly #needs: QueuesNeeds
  readonly #queues = new Map<QueueName, JobQueue>()
  readonly #nudges = new Map<QueueName, (item: RowItem) => Promise<undefined>>()
  /** Rows that are being gathered for later nudges, by queue and moment. */
  readonly #later = new Map<string, RowItem[]>()
  readonly #workers: JobWorker[] = []
  readonly #rounds = new RoundStarter((queue, options) => {
    void this.#tryTo(() => this.queue(queue).add(queue, { items: [] }, options))
  })
  #replies: Replies | undefined
  #recheck: NodeJS.Timeout | undefined
  #quietUntil = 0
  /** Jobs that run in this process. */
  #running = 0
  readonly #idle = withResolvers<void>()
  #isDraining = false
  #isResting = false
  #isClosed = false
  /** What BullMQ still had under way when its connections were closed fails, and is no fault. */
  readonly #onError: OnEngineError = (error) => {
    if (!this.#isClosed) this.#needs.onError(error)
  }

  constructor(needs: QueuesNeeds) {
    this.#needs = needs
  }

  get engine(): Engine {
    return this.#needs.engine
  }

  /**
   * True when the process is about to end. Another process then gets the jobs on their way here.
   */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** If false, no job begins in this process, and a long job begins no new part. */
  get takesWork(): boolean {
    return !this.#isDraining && !isOff(this.#needs.clock.skewMs())
  }

  /**
   * Nudges a worker to the row. Call it after the commit that makes the work due. It never throws
   * and need not be awaited, since the row itself says what is due.
   */
  nudge(queue: QueueName, item: RowItem): void {
    if (this.#isQuiet()) return
    const known = this.#nudges.get(queue)
    const send = known ?? gather((items) => this.#addTogether(queue, items), NUDGING)
    if (known === undefined) this.#nudges.set(queue, send)
    void send(withTrace(item, this.#needs.carried()))
  }

  /** The same for later work. Rows that are due at about the same time share a job. */
  nudgeAt(queue: QueueName, item: RowItem, at: Date): void {
    if (this.#isQuiet()) return
    const moment = Math.ceil(at.getTime() / MOMENT_MS) * MOMENT_MS
    const key = `${queue} ${moment}`
    const known = this.#later.get(key)
    const items = known ?? []
    items.push(withTrace(item, this.#needs.carried()))
    if (known !== undefined) return
    this.#later.set(key, items)
    setTimeout(() => {
      if (this.#later.delete(key)) this.#addLater(queue, items, new Date(moment))
    }, GATHERING_MS)
  }

  /**
   * For the sweep, which may come again before its first nudge was handled: the same rows get no
   * further job while one waits. A burst of rows is overdue as a whole, while a busy process works
   * on it, so a job for each would keep callers' jobs waiting.
   */
  async nudgeOverdue(queue: QueueName, overdue: readonly OverdueRow[]): Promise<void> {
    const jobs = chunksOf(overdue, this.#mostRows(queue)).map((rows) => ({
      name: queue,
      data: { items: rows.map(({ accountId, id, requestId }) => ({ accountId, id, requestId })) },
      opts: overdueOptions(queue, overdueJobId(rows)),
    }))
    await this.#tryTo(() => this.queue(queue).addBulk(jobs))
  }

  /** The process receives replies about finished rows here. It listens from the first use on. */
  get replies(): Replies {
    this.#replies ??= this.#listenForReplies()
    return this.#replies
  }

  queue(name: QueueName): JobQueue {
    const known = this.#queues.get(name)
    if (known !== undefined) return known
    const opened = this.engine.openQueue(name, {
      defaultJobOptions: jobOptions(name, this.engine.keepsDone),
    })
    opened.on('error', this.#onError)
    this.#queues.set(name, opened)
    opened.waitUntilReady().catch(() => this.#forget(name, opened))
    return opened
  }

  work(name: QueueName, processor: JobProcessor): JobWorker {
    const options = workerOptions(name, this.#needs.timings.jobLockMs)
    const autorun = !this.#isResting
    const counted: JobProcessor = (...job) => this.#count(() => processor(...job))
    const worker = this.engine.openWorker(name, counted, { ...options, autorun })
    worker.on('error', this.#onError)
    this.#workers.push(worker)
    return worker
  }

  /** Throws if a worker was created just as its store went away: such a worker might never work. */
  async workersReady(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()))
  }

  /** Until they resume, no worker of this process fetches a job. Running jobs continue. */
  async rest(): Promise<void> {
    if (this.#isResting || this.#isDraining) return
    this.#isResting = true
    await Promise.all(this.#workers.map((worker) => worker.pause(true)))
  }

  async resume(): Promise<void> {
    if (!this.#isResting) return
    this.#isResting = false
    await Promise.all(this.#workers.map((worker) => worker.resume()))
  }

  /**
   * For work that is overdue: resolves once a round over all due rows waits to begin, by whichever
   * process. Its job has one id, so that many processes make one.
   */
  async ensureRound(queue: QueueName): Promise<void> {
    const options = overdueOptions(queue, 'overdue')
    await this.#tryTo(() => this.queue(queue).add(queue, { items: [] }, options))
  }

  /**
   * Starts a round for work that has just become due. Never throws. In a process, calls of the same
   * 25 ms share a round.
   */
  startRound(queue: QueueName): void {
    if (!this.#isQuiet()) this.#rounds.now(queue)
  }

  /** The same for work that is due later. */
  startRoundAt(queue: QueueName, at: Date): void {
    if (!this.#isQuiet()) this.#rounds.at(queue, at, this.#needs.clock)
  }

  /**
   * Flushing the store removes the schedulers and the claim, so this runs periodically. One that
   * cannot be made does not stop the others.
   */
  async keepSchedulers(cutoffs: readonly Cutoff[]): Promise<void> {
    const { clock, timings } = this.#needs
    await this.engine.claim()
    const names = QUEUE_NAMES.filter((name) => jobKind(name).repeats !== undefined)
    await doAll(
      names.map((name) => () => {
        return ensureSchedulers(this.queue(name), name, cutoffs, clock, timings)
      }),
    )
  }

  /**
   * Waits for the running jobs, for the given time at most, and for the store, which may be away, a
   * moment longer.
   */
  async drain(graceMs: number): Promise<'drained' | 'out of time'> {
    this.#isDraining = true
    const startedMs = performance.now()
    const closing = Promise.all(this.#workers.map((worker) => worker.close()))
    const idle = this.#running === 0 ? Promise.resolve() : this.#idle.promise
    await isDoneWithin(graceMs, Promise.race([idle, closing]))
    const leftMs = graceMs - (performance.now() - startedMs)
    return (await isDoneWithin(Math.min(leftMs, CLOSING_MS), closing)) ? 'drained' : 'out of time'
  }

  async close(): Promise<void> {
    clearInterval(this.#recheck)
    this.#later.clear()
    await this.#replies?.close()
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()))
    this.#isClosed = true
    await this.engine.close()
  }

  /**
   * A queue that was opened while its store was away keeps failing, so the next use opens a new
   * one.
   */
  #forget(name: QueueName, failed: JobQueue): void {
    if (this.#queues.get(name) === failed) this.#queues.delete(name)
    failed.close().catch(this.#onError)
  }

  async #count<T>(run: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await run()
    } finally {
      this.#running -= 1
      if (this.#running === 0 && this.#isDraining) this.#idle.resolve()
    }
  }

  #listenForReplies(): Replies {
    const replies = this.engine.openReplies()
    this.#recheck = setInterval(() => replies.wakeLongWaiting(), this.#needs.timings.recheckEveryMs)
    return replies
  }

  #addLater(queue: QueueName, items: readonly RowItem[], at: Date): void {
    const options = delayUntil(at, this.#needs.clock)
    for (const some of chunksOf(items, this.#mostRows(queue))) {
      void this.#tryTo(() => this.queue(queue).add(queue, { items: some }, options))
    }
  }

  async #addTogether(queue: QueueName, items: readonly RowItem[]): Promise<readonly undefined[]> {
    const chunks = chunksOf(items, this.#mostRows(queue))
    const jobs = chunks.map((some) => ({ name: queue, data: { items: some } }))
    await this.#tryTo(() => addJobs(this.queue(queue), jobs))
    return items.map(() => undefined)
  }

  /** Rows of a kind that has a job for each are limited by how many jobs run at once. */
  #mostRows(queue: QueueName): number {
    const { rowsAJob = 1 } = jobKind(queue)
    return rowsAJob > 1 && this.engine.gathersAll ? NUDGING.most : rowsAJob
  }

  async #tryTo(add: () => Promise<unknown>): Promise<void> {
    try {
      await add()
    } catch (error) {
      this.#quietUntil = performance.now() + QUIET_MS
      this.#onError(error as Error)
    }
  }

  #isQuiet(): boolean {
    return this.#quietUntil > 0 && performance.now() < this.#quietUntil
  }
}

/** Rows nudged in one trip. */
const NUDGING = {
  most: 256,
  atOnce: 2,
  isOnesFault: () => false,
  groupOf: ({ accountId }: RowItem) => accountId,
}

export interface QueuesNeeds {
  readonly engine: Engine
  readonly onError: OnEngineError
  readonly clock: SharedClock
  readonly timings: Timings
  /** The current trace. The worker of a nudged row continues it. */
  readonly carried: () => string | undefined
}

/** A single job is added alone, because adding many needs temporary tables on PostgreSQL. */
async function addJobs(
  queue: JobQueue,
  jobs: readonly { readonly name: string; readonly data: JobData }[],
): Promise<void> {
  const [first, ...others] = jobs
  if (first !== undefined && others.length === 0) await queue.add(first.name, first.data)
  else await queue.addBulk([...jobs])
}

/** A row that returns to the queue keeps its trace. */
function withTrace(item: RowItem, trace: string | undefined): RowItem {
  return trace === undefined || item.trace !== undefined ? item : { ...item, trace }
}
