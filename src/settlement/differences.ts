// What a transaction of ours and the same order in the gateway's books say of each other.

import { toDecimal } from '../core/money.ts'
import type { GatewayEntry } from '../outside/gateway/port.ts'
import type { BatchRow } from './batch.ts'
import type { OurTransaction } from './our-books.ts'
import type { Sums } from './sums.ts'

/** Whether it moves money that is not given back before it is settled. */
export function movesMoney({ operation, state, isVoided }: GatewayEntry): boolean {
  const moves = operation === 'charge' || operation === 'capture' || operation === 'refund'
  return moves && state === 'approved' && !isVoided
}

/** Of what a batch took; undefined where both say the same. */
export function faultOfTaken(
  t: OurTransaction,
  entry: GatewayEntry | undefined,
): string | undefined {
  if (entry === undefined) return `the gateway has no such ${t.type}`
  if (entry.state !== 'approved') return `the gateway has it as ${entry.state}`
  if (entry.isVoided) return 'the gateway has voided it'
  if (entry.operation !== t.type) return `it is a ${t.type}, to the gateway a ${entry.operation}`
  if (entry.amount !== t.total) {
    return `it is of ${toDecimal(t.total)}, to the gateway of ${toDecimal(entry.amount)}`
  }
  if (entry.gatewayId === t.authId) return undefined
  return `we call it ${t.authId}, the gateway ${entry.gatewayId}`
}

/**
 * Of what the gateway settles and the batch did not take; undefined where that is as it should be.
 * What is not decided with us yet joins the batch of its success, and that of a later day has what
 * was decided late.
 */
export function faultOfEntry(
  entry: GatewayEntry,
  t: OurTransaction | undefined,
): string | undefined {
  const amount = `a ${entry.operation} of ${toDecimal(entry.amount)}`
  if (t === undefined) return `the gateway made ${amount} that is none of ours`
  if (t.status === 'FAILED') return `the gateway made ${amount} that has failed with us`
  return t.isVoided ? `the gateway has not voided ${amount}` : undefined
}

/** Of a batch that is closed: its sums are for ever, and its transactions are what they are. */
export function faultsOfBatch(batch: BatchRow, sums: Sums): readonly string[] {
  if (batch.status !== 'closed') return []
  const names = ['count', 'sales', 'refunds'] as const
  const shown = (name: (typeof names)[number], of: Sums) =>
    name === 'count' ? of.count : toDecimal(of[name])
  return [
    ...(batch.toldAt === null ? ['the gateway has not been told of the batch'] : []),
    ...names
      .filter((name) => batch[name] !== sums[name])
      .map(
        (name) =>
          `its ${name} is ${shown(name, batch)}, of its transactions it is ${shown(name, sums)}`,
      ),
  ]
}
