// The job `retention`: deletes old rows, by the real clock. It works in small commits, with a limit
// for each round. If more may be left, the next round follows at once.
//
// If a process dies between two commits, the next round deletes the rest. Two rounds at once delete
// different rows. A kind that fails does not stop the others.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { doAll } from '../core/do-all.ts'
import { after, DAY } from '../core/time-units.ts'
import { forgetDeletedMethods, METHODS_A_ROUND } from '../customers/forget-deleted-methods.ts'
import { forgetDeliveries, forgetOutbox } from '../deliveries/forget-deliveries.ts'
import { forgetEvents } from '../events/forget-events.ts'
import { forgetRequests } from '../operators/recent-requests.ts'
import { deleteEndedSessions } from '../operators/session.ts'
import { forgetWords } from '../payments/lists/forget-words.ts'
import type { World } from '../world.ts'

/** As the API promises. */
const EVENTS_KEPT_MS = 30 * DAY

const REQUESTS_KEPT_MS = DAY

/** For each kind in one round: some seconds of work. */
const MOST_A_ROUND = 50_000

/** One round. Returns how many rows it deleted. */
export async function forgetOld(world: World, most = MOST_A_ROUND): Promise<number> {
  const now = world.clock.now()
  const keptMs = world.config.deliveryRetentionDays * DAY
  let forgotten = 0
  let isMoreLeft = false
  const kind =
    (forget: () => number | Promise<number>, limit = most) =>
    async () => {
      const count = await forget()
      forgotten += count
      isMoreLeft ||= count >= limit
    }
  try {
    await doAll([
      kind(() => forgetEvents(world, after(now, -EVENTS_KEPT_MS), most)),
      kind(() => forgetDeliveries(world, after(now, -keptMs), most)),
      kind(() => forgetRequests(world, after(now, -REQUESTS_KEPT_MS), most)),
      kind(() => forgetOutbox(world, after(now, -keptMs), most)),
      kind(() => forgetOutboxFiles(world, after(now, -keptMs), most)),
      ...world.gateways.all.map((one) => kind(() => one.forgetUnusedTokens?.(now, most) ?? 0)),
      kind(() => deleteEndedSessions(world, now)),
      kind(() => forgetWords(world, most)),
      kind(() => forgetDeletedMethods(world, now), METHODS_A_ROUND),
    ])
  } finally {
    if (isMoreLeft) world.queues.startRound('retention')
  }
  return forgotten
}

/** Other files in the folder are left alone. */
const NAME = /^(\d{8}T\d{9}Z)-[0-9a-f-]{36}\.(eml|txt)(\.part)?$/

/**
 * Removes the files beside the messages of the outbox, by the time in their names: each process
 * removes those of its own folder.
 *
 * Removes at most so many, and returns how many. A folder that cannot be read does not stop the
 * rest.
 */
export async function forgetOutboxFiles(world: World, before: Date, most: number): Promise<number> {
  const folder = join(world.config.dataDir, 'outbox')
  const end = before.toISOString().replace(/[-:.]/g, '')
  const names = await readdir(folder).catch(() => [])
  const old = names.filter((name) => (NAME.exec(name)?.[1] ?? end) < end).slice(0, most)
  for (const name of old) await rm(join(folder, name), { force: true }).catch(() => {})
  return old.length
}
