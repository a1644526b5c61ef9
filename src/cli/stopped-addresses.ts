// `lamplighter deliveries stopped` lists the addresses that get no messages, `… lift` sends to one
// again.

import type { MessageChannel } from '../core/delivery.ts'
import { OperatorError } from '../core/operator-error.ts'
import { listStops, type StoppedAddress, type StopReason } from '../deliveries/stopped-addresses.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import { liftStop } from '../operators/lift-stop.ts'
import { accountsOf } from './deliveries.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import { readAccountId, readLimit } from './read-options.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

interface StoppedOptions extends ListOutput {
  readonly channel?: MessageChannel
  readonly account?: string
  readonly team?: string
  readonly limit: string
}

interface LiftOptions extends Output {
  readonly channel: MessageChannel
  readonly account: string
  readonly reason: StopReason
  readonly note?: string
}

const COLUMNS: readonly TableColumn<StoppedAddress>[] = [
  { heading: 'ADDRESS', read: ({ address }) => address, isCut: true },
  { heading: 'CHANNEL', read: ({ channel }) => channel },
  { heading: 'REASON', read: ({ reason }) => reason },
  { heading: 'SINCE', read: ({ createdAt }) => createdAt },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId },
  { heading: 'DETAIL', read: ({ detail }) => detail, isCut: true },
]

export function listStopsCommand(options: StoppedOptions): Promise<void> {
  return withQueries(async (world) => {
    const accountIds = await accountsOf(world, readAccountId(options.account), options.team)
    const filter = { accountIds, channel: options.channel, limit: readLimit(options.limit) }
    const stops = await listStops(world, filter)
    printRows(stops, COLUMNS, options)
  })
}

export function liftStopCommand(address: string, options: LiftOptions): Promise<void> {
  return withQueries(async (world) => {
    const [accountId] = (await accountsOf(world, readAccountId(options.account), undefined)) ?? []
    if (accountId === undefined) throw new OperatorError('name the account')
    const { channel, reason } = options
    const note = (options.note ?? '').replace(/\p{C}+/gu, ' ').trim()
    await liftStop(world, BY_COMMAND, { accountId, channel, address, reason }, note)
    printOne({ lifted: address }, options)
  })
}
