// `lamplighter deliveries stopped` lists the addresses that get no messages, `… lift` sends to one
// again.

import { OperatorError } from '../core/operator-error.ts'
import { listStops, type StoppedAddress } from '../deliveries/stopped-addresses.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import { liftStop } from '../operators/lift-stop.ts'
import { accountsOf } from './deliveries.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import { readAccountId, readLimit, readMessageChannel, readStopReason } from './read-options.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

interface StoppedOptions extends ListOutput {
  readonly channel?: string
  readonly account?: string
  readonly team?: string
  readonly limit: string
}

interface LiftOptions extends Output {
  readonly channel: string
  readonly account: string
  readonly reason: string
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
    const channel = readMessageChannel(options.channel)
    const stops = await listStops(world, { accountIds, channel, limit: readLimit(options.limit) })
    printRows(stops, COLUMNS, options)
  })
}

export function liftStopCommand(address: string, options: LiftOptions): Promise<void> {
  return withQueries(async (world) => {
    const [accountId] = (await accountsOf(world, readAccountId(options.account), undefined)) ?? []
    const [channel, reason] = [readMessageChannel(options.channel), readStopReason(options.reason)]
    if (accountId === undefined || channel === undefined || reason === undefined) {
      throw new OperatorError('name the account, the channel and the reason')
    }
    const note = (options.note ?? '').replace(/\p{C}+/gu, ' ').trim()
    await liftStop(world, BY_COMMAND, { accountId, channel, address, reason }, note)
    printOne({ lifted: address }, options)
  })
}
