// The queues as the rooms see them: a place to nudge, and never a place to keep anything.

import type { Cutoff } from '../core/business-day.ts'
import { gather } from '../core/gather.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { addJobs } from './add-jobs.ts'
import { jobKind, QUEUE_NAMES, type QueueName, type RowItem } from './catalogue.ts'
import type { Engine, JobProcessor, JobQueue, JobWorker, StoreFacts } from './engine.ts'
import { chunks, jobOptions, overdueOptions, workerOptions } from './job-options.ts'
import { keepSchedule } from './keep-schedule.ts'
import { Prompts } from './prompts.ts'
import type { QueuesNeeds } from './queues-needs.ts'
import type { Replies } from './replies.ts'
import { traced } from './traced.ts'

/** After a nudge failed the store is left alone for a moment: the sweep will find the rows. */
const QUIET_MS = SECOND

export class Queues {
  readonly #needs: QueuesNeeds
  readonly #queues = new Map<QueueName, JobQueue>()
  readonly #nudges = new Map<QueueName, (item: RowItem) => Promise<undefined>>()
  readonly #workers: JobWorker[] = []
  readonly #prompts = new Prompts((queue, options) => {
    void this.#tryTo(() => this.queue(queue).add(queue, { items: [] }, options))
  })
  #replies: Replies | undefined
  #recheck: NodeJS.Timeout | undefined
  #quietUntil = 0
  /** No job begins in this process any more; a long one begins nothing new. */
  isDraining = false

  constructor(needs: QueuesNeeds) {
    this.#needs = needs
  }

  get kind(): Engine['kind'] {
    return this.#needs.engine.kind
  }

  /**
   * Makes the row's work prompt. Call it after the commit that owes the work; it never throws and
   * nobody need wait for it, since the row itself says what is owed.
   */
  nudge(queue: QueueName, item: RowItem): void {
    if (this.#isQuiet()) return
    const known = this.#nudges.get(queue)
    const send = known ?? gather((items) => this.#addTogether(queue, items), NUDGING)
    if (known === undefined) this.#nudges.set(queue, send)
    void send(traced(item, this.#needs.carried()))
  }

  /** The same, for work that is due later. */
  nudgeAt(queue: QueueName, item: RowItem, at: Date): void {
    if (this.#isQuiet()) return
    const { carried, clock } = this.#needs
    const delay = Math.max(0, at.getTime() - clock.now().getTime())
    void this.#tryTo(() =>
      this.queue(queue).add(queue, { items: [traced(item, carried())] }, { delay }),
    )
  }

  /**
   * For the sweep, which may come by again before the first nudge was heard: a row has one such
   * nudge for each time that it is due.
   */
  async nudgeOverdue(
    queue: QueueName,
    overdue: readonly (RowItem & { readonly dueAt: Date })[],
  ): Promise<void> {
    const jobs = overdue.map(({ accountId, id, requestId, dueAt }) => ({
      name: queue,
      data: { items: [{ accountId, id, requestId }] },
      opts: overdueOptions(queue, `overdue-${id}-${dueAt.getTime()}`),
    }))
    await this.#tryTo(() => this.queue(queue).addBulk(jobs))
  }

  /** Where this process hears that a row is finished; listening from the first time on. */
  get replies(): Replies {
    this.#replies ??= this.#listenForReplies()
    return this.#replies
  }

  /** Throws while the store is away, and an UnfitStore when it must not be used. */
  probe(): Promise<void> {
    return this.#needs.engine.probe()
  }

  /** Undefined where there is no store but the database. */
  storeFacts(): Promise<StoreFacts | undefined> {
    return this.#needs.engine.storeFacts?.() ?? Promise.resolve(undefined)
  }

  queue(name: QueueName): JobQueue {
    const known = this.#queues.get(name)
    if (known !== undefined) return known
    const opened = this.#needs.engine.openQueue(name, {
      defaultJobOptions: jobOptions(name, this.#needs.engine.keepsDone),
    })
    opened.on('error', this.#needs.fuse.report)
    this.#queues.set(name, opened)
    opened.waitUntilReady().catch(() => this.#forget(name, opened))
    return opened
  }

  work(name: QueueName, processor: JobProcessor): JobWorker {
    const options = workerOptions(name, this.#needs.timings.jobLockMs)
    const worker = this.#needs.engine.openWorker(name, processor, options)
    worker.on('error', this.#needs.fuse.report)
    this.#workers.push(worker)
    return worker
  }

  /** Throws where a worker was built just as its store went away: it might never work. */
  async workersReady(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()))
  }

  /** Has a round over all that is due come at once; another that waits to begin is enough. */
  async nudgeRound(queue: QueueName): Promise<void> {
    const options = overdueOptions(queue, 'overdue')
    await this.#tryTo(() => this.queue(queue).add(queue, { items: [] }, options))
  }

  /** Has a round begin for work that has just been owed. */
  prompt(queue: QueueName): void {
    if (!this.#isQuiet()) this.#prompts.now(queue)
  }

  /** The same, for work that is due later. */
  promptAt(queue: QueueName, at: Date): void {
    if (!this.#isQuiet()) this.#prompts.at(queue, at, this.#needs.clock.now())
  }

  /**
   * Whoever flushes the store takes the schedulers with it, so they are looked after now and then,
   * not only once.
   */
  async keepSchedules(cutoffs: readonly Cutoff[]): Promise<void> {
    const { clock, timings } = this.#needs
    for (const name of QUEUE_NAMES) {
      if (jobKind(name).comesRound === undefined) continue
      await keepSchedule(this.queue(name), name, cutoffs, clock, timings)
    }
  }

  /** Waits for the jobs under way, for the given time at most. */
  async drain(graceMs: number): Promise<'drained' | 'out of time'> {
    this.isDraining = true
    const closing = Promise.all(this.#workers.map((worker) => worker.close()))
    return (await isDoneWithin(graceMs, closing)) ? 'drained' : 'out of time'
  }

  async close(): Promise<void> {
    clearInterval(this.#recheck)
    await this.#replies?.close()
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()))
    await this.#needs.engine.close()
  }

  /** A queue that was opened while its store was away fails for ever; the next one will not. */
  #forget(name: QueueName, failed: JobQueue): void {
    if (this.#queues.get(name) === failed) this.#queues.delete(name)
    failed.close().catch(this.#needs.fuse.report)
  }

  #listenForReplies(): Replies {
    const replies = this.#needs.engine.openReplies()
    this.#recheck = setInterval(() => replies.wakeAll(), this.#needs.timings.recheckEveryMs)
    return replies
  }

  async #addTogether(queue: QueueName, items: readonly RowItem[]): Promise<readonly undefined[]> {
    const most = this.#needs.engine.gathersAll ? items.length : jobKind(queue).rowsAJob
    const jobs = chunks(items, most).map((some) => ({ name: queue, data: { items: some } }))
    await this.#tryTo(() => addJobs(this.queue(queue), jobs))
    return items.map(() => undefined)
  }

  async #tryTo(add: () => Promise<unknown>): Promise<void> {
    try {
      await add()
    } catch (error) {
      this.#quietUntil = this.#needs.clock.now().getTime() + QUIET_MS
      this.#needs.fuse.report(error as Error)
    }
  }

  #isQuiet(): boolean {
    return this.#quietUntil > 0 && this.#needs.clock.now().getTime() < this.#quietUntil
  }
}

/** Rows nudged in one trip. */
const NUDGING = { most: 256, atOnce: 2, isOnesFault: () => false }
