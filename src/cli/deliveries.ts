// `lamplighter deliveries …` lists those that need a person, shows one, retries and dismisses them.

import { findTeam } from '../accounts/find-teams.ts'
import { OperatorError } from '../accounts/operator-error.ts'
import { isId } from '../core/id.ts'
import { type FoundDelivery, findDeliveries, listDeliveries } from '../deliveries/list-parked.ts'
import {
  closeAll,
  closeNamed,
  type ParkedFilter,
  redrive,
  redriveAll,
} from '../deliveries/parked.ts'
import type { Delivery } from '../generated/client.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import type { World } from '../world.ts'
import { withWorld } from './open-service.ts'
import { type Output, print, printOne } from './output.ts'
import {
  readAccountId,
  readChannel,
  readLimit,
  readReason,
  readSince,
  readStatus,
} from './read-options.ts'

interface Whose extends Output {
  readonly account?: string
  readonly team?: string
  readonly channel?: string
  readonly since?: string
}

interface ListOptions extends Whose {
  readonly status?: string
  readonly limit: string
}

interface WhichOptions extends Whose {
  readonly reason?: string
}

export function listDeliveriesCommand(options: ListOptions): Promise<void> {
  return withWorld(async (world) => {
    const status = readStatus(options.status)
    const found = await listDeliveries(world, {
      ...(await filterOf(world, options)),
      ...(status === 'closed' ? { status: 'parked', isClosed: true } : { status }),
      limit: readLimit(options.limit),
    })
    print(found.map(options.json === true ? asJson : line), options)
  })
}

export function showDeliveryCommand(id: string, options: Output): Promise<void> {
  return withWorld(async (world) => {
    const [found] = await named(world, [id])
    if (found === undefined) return
    if (options.json === true) return printOne(asJson(found), options)
    const { history, ...about } = asJson(found)
    printOne(oneLine(about), options)
    process.stdout.write('\n')
    print(history.map(attempt), options)
  })
}

export function retryDeliveriesCommand(
  ids: readonly string[],
  options: WhichOptions,
): Promise<void> {
  return withWorld(async (world) => {
    const which = await readWhich(world, ids, options)
    for (const one of which.named ?? []) refuseRetry(one)
    const retried = await (which.named === undefined
      ? redriveAll(world, which.filter)
      : redrive(world, which.named))
    printOne({ retried }, options)
  })
}

export function closeDeliveriesCommand(
  ids: readonly string[],
  options: WhichOptions,
): Promise<void> {
  return withWorld(async (world) => {
    const which = await readWhich(world, ids, options)
    for (const one of which.named ?? []) refuseClose(one)
    const closed = await (which.named === undefined
      ? closeAll(world, which.filter)
      : closeNamed(world, which.named))
    printOne({ closed }, options)
  })
}

type Which =
  | { readonly named: readonly FoundDelivery[] }
  | { readonly named?: undefined; readonly filter: ParkedFilter }

/** All named deliveries must exist. */
async function readWhich(
  world: World,
  ids: readonly string[],
  options: WhichOptions,
): Promise<Which> {
  const { channel, reason, account, team, since } = options
  const terms = [channel, reason, account, team, since].filter((term) => term !== undefined)
  if (ids.length > 0 && terms.length > 0) {
    throw new OperatorError('name the deliveries by id or by a filter, not both')
  }
  if (ids.length > 0) return { named: await named(world, ids) }
  if (terms.length === 0) {
    throw new OperatorError(
      'name the deliveries by id, or by a filter such as --channel email --reason out_of_tries',
    )
  }
  return { filter: { ...(await filterOf(world, options)), reason: readReason(reason) } }
}

function refuseRetry({ id, status, dueAt, hasSubject }: FoundDelivery): void {
  if (status === 'pending') {
    throw new OperatorError(`${id} is already pending: it is due at ${dueAt?.toISOString()}`)
  }
  if (status !== 'parked') {
    throw new OperatorError(`${id} is ${status} and is not sent again: its provider accepted it`)
  }
  if (!hasSubject) throw new OperatorError(`the event of ${id} is deleted: it is too old`)
}

function refuseClose({ id, status }: FoundDelivery): void {
  if (status !== 'parked') throw new OperatorError(`${id} is not parked: it is ${status}`)
}

async function named(world: World, ids: readonly string[]): Promise<readonly FoundDelivery[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await findDeliveries(world, wanted.filter(isId))
  const missing = wanted.find((id) => !found.some((one) => one.id === id))
  if (missing !== undefined) throw new OperatorError(`there is no delivery ${missing}`)
  return found
}

async function filterOf(world: World, { account, team, channel, since }: Whose) {
  return {
    accountIds: await accountsOf(world, readAccountId(account), team),
    channel: readChannel(channel),
    since: readSince(since, world.clock.now()),
  }
}

async function accountsOf(
  world: World,
  accountId: string | undefined,
  team: string | undefined,
): Promise<readonly string[] | undefined> {
  if (accountId !== undefined && team !== undefined) {
    throw new OperatorError('use --account or --team, not both')
  }
  if (team !== undefined) return (await findTeam(world, team)).accounts.map(({ id }) => id)
  if (accountId === undefined) return undefined
  await requireAccount(world, accountId)
  return [accountId]
}

function asJson(d: Delivery) {
  return {
    id: d.id,
    account_id: d.accountId,
    channel: d.channel,
    recipient: d.recipient,
    subject: d.subject,
    subject_id: d.subjectId,
    status: d.status,
    reason: d.reason,
    closed_at: d.closedAt,
    tries: d.tries,
    due_at: d.dueAt,
    provider_id: d.providerId,
    last_error: d.lastError,
    created_at: d.createdAt,
    updated_at: d.updatedAt,
    sent_at: d.sentAt,
    delivered_at: d.deliveredAt,
    history: Array.isArray(d.history) ? d.history : [],
  }
}

function line(d: Delivery): object {
  const { id, account_id, channel, recipient, status, reason, tries, updated_at, last_error } =
    asJson(d)
  return oneLine({
    id,
    account_id,
    channel,
    recipient,
    status,
    reason,
    tries,
    updated_at,
    last_error,
  })
}

function attempt(entry: unknown): object {
  const { at, ms, answer, by, detail } = entry as Readonly<Record<string, unknown>>
  return oneLine({ at, ms, answer: answer ?? `by the ${by}`, detail })
}

/** A provider's words may hold control characters, which must not reach the terminal. */
function oneLine(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/\p{C}+/gu, ' ') : value,
  ])
  return Object.fromEntries(entries)
}
